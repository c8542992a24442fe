// SPDX-License-Identifier: Apache-2.0

/**
 * node scripts/build.mjs [--wasm FILE]: builds the package into dist/.
 *
 *     dist/turnkeeper.wasm   the module: FILE, else TURNKEEPER_WASM, else ../../build/plain/turnkeeper.wasm
 *     dist/esm               modules, with types
 *     dist/cjs               the same for require(), with types of its own
 *
 * The compiler gets a copy of the sources for each format, in a folder that says which it is. In it is also the
 * module as text; and for CommonJS one file is another (scripts/commonjs), because only modules have import.meta.
 */

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const top = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(top, "dist");
const FORMATS = [
  { name: "esm", type: "module", instead: [] },
  { name: "cjs", type: "commonjs", instead: ["place.ts"] },
];

function wasmFile() {
  const at = process.argv.indexOf("--wasm");
  const given = at > 0 ? process.argv[at + 1] : process.env.TURNKEEPER_WASM;
  const file = resolve(given || join(top, "..", "..", "build", "plain", "turnkeeper.wasm"));
  if (!existsSync(file)) {
    console.error(`${file}: no module there; \`make wasm\` in the project's build folder makes it`);
    process.exit(2);
  }
  return file;
}

/**
 * For modules package.json chooses the file of src/platform that an engine gets. CommonJS has a package.json of its own, where
 * bundlers take other files for browsers by their names only; and workers have modules only.
 */
function chooseByName(sources) {
  for (const file of ["local/local.ts", "local/module.ts", "socket/socket.ts"]) {
    const text = readFileSync(join(sources, file), "utf8");
    writeFileSync(join(sources, file), text.replace('"#platform"', '"../platform/node.js"'));
  }
  for (const name of ["edge.ts", "workerd.ts"]) rmSync(join(sources, "platform", name));
}

function stage({ name, type, instead }, wasm) {
  const folder = join(dist, `sources-${name}`);
  mkdirSync(folder, { recursive: true });
  cpSync(join(top, "src"), join(folder, "src"), { recursive: true });
  for (const file of instead) cpSync(join(top, "scripts", "commonjs", file), join(folder, "src", "local", file));
  if (type === "commonjs") chooseByName(join(folder, "src"));
  copyFileSync(join(top, "tsconfig.json"), join(folder, "tsconfig.json"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type }) + "\n");
  rmSync(join(folder, "src", "inlined.d.ts"));
  const text = `export const MODULE: string =\n  "${readFileSync(wasm).toString("base64")}";\n`;
  writeFileSync(join(folder, "src", "inlined.ts"), `// SPDX-License-Identifier: Apache-2.0\n\n${text}`);
  return folder;
}

function compile(folder, target) {
  const tsc = join(top, "node_modules", "typescript", "bin", "tsc");
  const options = ["-p", join(folder, "tsconfig.json"), "--outDir", target];
  try {
    execFileSync(process.execPath, [tsc, ...options], { stdio: "inherit" });
  } catch (error) {
    process.exit(error.status || 1);
  }
}

const wasm = wasmFile();
rmSync(dist, { recursive: true, force: true });
for (const format of FORMATS) {
  const folder = stage(format, wasm);
  compile(folder, join(dist, format.name));
  rmSync(folder, { recursive: true });
  if (format.type === "commonjs") {
    const own = { type: format.type, sideEffects: false, browser: { "./platform/node.js": "./platform/web.js" } };
    writeFileSync(join(dist, format.name, "package.json"), JSON.stringify(own) + "\n");
  }
}
copyFileSync(wasm, join(dist, "turnkeeper.wasm"));
const command = join(dist, "esm", "cli", "main.js");
if (existsSync(command)) chmodSync(command, 0o755);
