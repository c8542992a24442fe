#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write realistic agent histories (Messages API request bodies) of about 18 KB, 200 KB and 2 MB:
s.json, m.json, l.json into the current folder, and .mp (msgpack) if the msgpack module is there.
Deterministic."""
import json,random,base64,os
random.seed(7)
words="the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our man me even most made after also did many fore must through".split()
def prose(n):
    s=[]
    while sum(map(len,s))+len(s)<n: s.append(random.choice(words))
    return ' '.join(s)[:n]
def code(n):
    out=[]
    while sum(map(len,out))<n:
        out.append('    if (%s != "%s") {\n\t\treturn %s->%s[%d];\n    }\n'%(random.choice(words),random.choice(words),random.choice(words),random.choice(words),random.randint(0,999)))
    return ''.join(out)[:n]
def uni(n): return 'Résumé — naïve “quotes” 日本語テキスト 😀 '*(n//60+1)
def b64(n): return base64.b64encode(random.randbytes(n*3//4)).decode()
def rid(p): return p+''.join(random.choice('0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz') for _ in range(24))
def convo(target):
    msgs=[];size=0
    while size<target:
        msgs.append({"role":"user","content":[{"type":"text","text":prose(random.randint(80,400))}]})
        c=[{"type":"thinking","thinking":prose(random.randint(200,900)),"signature":b64(random.randint(300,700))}]
        r=random.random()
        if r<.35:
            i=rid("srvtoolu_")
            c.append({"type":"server_tool_use","id":i,"name":"web_search","input":{"query":prose(40)}})
            c.append({"type":"web_search_tool_result","tool_use_id":i,"content":[{"type":"web_search_result","title":prose(40),"url":"https://example.com/"+rid(""),"encrypted_content":b64(random.randint(800,2500)),"page_age":"April 30, 2025"} for _ in range(random.randint(3,8))]})
            c.append({"type":"text","text":prose(500),"citations":[{"type":"web_search_result_location","url":"https://example.com/x","title":"t","encrypted_index":b64(150),"cited_text":prose(120)}]})
            msgs.append({"role":"assistant","content":c})
        else:
            n=random.randint(1,3)
            ids=[rid("toolu_") for _ in range(n)]
            c.append({"type":"text","text":prose(120)})
            for i in ids: c.append({"type":"tool_use","id":i,"name":"read_file","input":{"path":"src/"+random.choice(words)+".c","offset":random.randint(0,4000),"limit":200}})
            msgs.append({"role":"assistant","content":c})
            msgs.append({"role":"user","content":[{"type":"tool_result","tool_use_id":i,"content":random.choice([code,code,uni,prose])(random.randint(500,6000))} for i in ids]})
            msgs.append({"role":"assistant","content":[{"type":"text","text":prose(200)+"\n\n```c\n"+code(400)+"```\n"}]})
        size=len(json.dumps(msgs,ensure_ascii=False).encode()) if len(msgs)%8==0 or size==0 else size+3000
    return {"model":"claude-sonnet-4-5","max_tokens":8192,"messages":msgs}
for name,t in (("s",8_000),("m",200_000),("l",2_000_000)):
    d=convo(t)
    open(f"{name}.json","w").write(json.dumps(d,ensure_ascii=False,separators=(",",":")))
    print(name,os.path.getsize(f"{name}.json"),len(d["messages"]))
    try:
        import msgpack; open(f"{name}.mp","wb").write(msgpack.packb(d))
    except ImportError: pass
