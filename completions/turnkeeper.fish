# SPDX-License-Identifier: Apache-2.0
# fish completion for turnkeeper, written by completions/generate.py: don't edit it.

# Prints the command of the line, or nothing.
function __turnkeeper_command
    set -l words (commandline -opc)
    set -l skip 0
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word --add --appended --assistant --at --betas --call --choice --color --compaction --container --deferred --dialect --emit --format --history --max-document --max-violations --merge --message --mode --model --on-assistant-conflict --on-conflict --output --policy --provenance --provider --provider-input --request --seals --server --socket --state --target --timeout-ms --tool-results --turn --wire -o
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
end

# Succeeds if the command of the line is one of those given; without any, if there is none yet.
function __turnkeeper_is
    set -l command (__turnkeeper_command)
    test (count $argv) = 0; and test -z "$command"; and return
    contains -- "$command" $argv
end

# Prints the files that complete a word that begins with @.
function __turnkeeper_at_file
    set -l word (string replace -r '^--[a-z-]+=' '' -- (commandline -ct))
    string match -q -- '@*' $word; or return
    for file in (string sub -s 2 -- $word)*
        echo @$file
    end
end

complete -c turnkeeper -f
complete -c turnkeeper -n __turnkeeper_is -s h -l help -d 'print this help'
complete -c turnkeeper -n __turnkeeper_is -s V -l version -d 'print the version'
complete -c turnkeeper -n __turnkeeper_is -a validate -d 'list every fault that the provider would refuse'
complete -c turnkeeper -n __turnkeeper_is -a repair -d 'make a history acceptable with the fewest edits'
complete -c turnkeeper -n __turnkeeper_is -a splice -d 'append a turn, its results and messages to a history'
complete -c turnkeeper -n __turnkeeper_is -a tools -d 'add tools to a request, name the beta values that it needs'
complete -c turnkeeper -n __turnkeeper_is -a prepare -d 'make a request ready to be sent: splice, tools and repair in one'
complete -c turnkeeper -n __turnkeeper_is -a seal -d 'fingerprint an assistant turn, to prove later that it is unchanged, or to restore it'
complete -c turnkeeper -n __turnkeeper_is -a stream -d 'filter a provider\'s stream, so that no call leaves without its result'
complete -c turnkeeper -n __turnkeeper_is -a rules -d 'explain a rule: what it looks for and how repair fixes it'
complete -c turnkeeper -n __turnkeeper_is -a explain -d 'name the rule that a provider\'s refusal belongs to'
complete -c turnkeeper -n __turnkeeper_is -a redact -d 'replace all that was said in a history, for a bug report'
complete -c turnkeeper -n __turnkeeper_is -a health -d 'check the daemon, as a monitoring plugin'
complete -c turnkeeper -n __turnkeeper_is -a stats -d 'print the daemon\'s counters'
complete -c turnkeeper -n __turnkeeper_is -a info -d 'print what the daemon serves: methods, rules, limits'
complete -c turnkeeper -n __turnkeeper_is -a ping -d 'check that the daemon answers'
complete -c turnkeeper -n __turnkeeper_is -a call -d 'call a method of the daemon on its main socket'
complete -c turnkeeper -n __turnkeeper_is -a help -d 'print the help of a command'
complete -c turnkeeper -n '__turnkeeper_is help' -a validate
complete -c turnkeeper -n '__turnkeeper_is help' -a repair
complete -c turnkeeper -n '__turnkeeper_is help' -a splice
complete -c turnkeeper -n '__turnkeeper_is help' -a tools
complete -c turnkeeper -n '__turnkeeper_is help' -a prepare
complete -c turnkeeper -n '__turnkeeper_is help' -a seal
complete -c turnkeeper -n '__turnkeeper_is help' -a stream
complete -c turnkeeper -n '__turnkeeper_is help' -a rules
complete -c turnkeeper -n '__turnkeeper_is help' -a explain
complete -c turnkeeper -n '__turnkeeper_is help' -a redact
complete -c turnkeeper -n '__turnkeeper_is help' -a health
complete -c turnkeeper -n '__turnkeeper_is help' -a stats
complete -c turnkeeper -n '__turnkeeper_is help' -a info
complete -c turnkeeper -n '__turnkeeper_is help' -a ping
complete -c turnkeeper -n '__turnkeeper_is help' -a call
complete -c turnkeeper -n '__turnkeeper_is help' -a help

complete -c turnkeeper -n '__turnkeeper_is validate' -l dialect -x -a 'anthropic fantasy ai-sdk openai-chat openai-responses bedrock gemini' -d 'format of the messages [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is validate' -l policy -x -a 'conservative preserve (__turnkeeper_at_file)' -d 'policy by name, or as an object (JSON or @FILE) [conservative]'
complete -c turnkeeper -n '__turnkeeper_is validate' -l target -x -a 'anthropic bedrock vertex compatible openai azure gemini (__turnkeeper_at_file)' -d 'where the request will be sent: ENDPOINT[:MODEL], or an object'
complete -c turnkeeper -n '__turnkeeper_is validate' -l model -x -d 'the model that the request is for [the request\'s own]'
complete -c turnkeeper -n '__turnkeeper_is validate' -l server -x -a 'deepseek groq mistral moonshot openrouter vllm xai' -d 'the server of target compatible, if it is a known one'
complete -c turnkeeper -n '__turnkeeper_is validate' -l provider -x -a 'anthropic openai-chat openai-responses bedrock gemini' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is validate' -l betas -x -a '(__turnkeeper_at_file)' -d 'the values of the request\'s beta header: A,B or a JSON list'
complete -c turnkeeper -n '__turnkeeper_is validate' -l provenance -x -a 'wire rebuilt' -d 'turns are stored as received (wire) or were rebuilt from parts (rebuilt) [wire]'
complete -c turnkeeper -n '__turnkeeper_is validate' -l seals -x -a '(__turnkeeper_at_file)' -d 'seals of turns in this history: a JSON list or @FILE'
complete -c turnkeeper -n '__turnkeeper_is validate' -l max-violations -x -d 'list at most N findings per document (all are counted) [256]'
complete -c turnkeeper -n '__turnkeeper_is validate' -l jsonl -d 'read one document per line (detected for two lines or more)'
complete -c turnkeeper -n '__turnkeeper_is validate' -l at -x -d 'JSON pointer to the history in a larger document'
complete -c turnkeeper -n '__turnkeeper_is validate' -l max-document -x -d 'largest document or line to read [1073741824]'
complete -c turnkeeper -n '__turnkeeper_is validate' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is validate' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is validate' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is validate' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is validate' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is validate' -s v -l verbose -d 'also print what the provider would have answered'
complete -c turnkeeper -n '__turnkeeper_is validate' -s q -l quiet -d 'print no view of the edits, no summary, no progress bar'
complete -c turnkeeper -n '__turnkeeper_is validate' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is validate' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is validate' -F

complete -c turnkeeper -n '__turnkeeper_is repair' -l dialect -x -a 'anthropic fantasy ai-sdk openai-chat openai-responses bedrock gemini' -d 'format of the messages [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is repair' -l policy -x -a 'conservative preserve (__turnkeeper_at_file)' -d 'policy by name, or as an object (JSON or @FILE) [conservative]'
complete -c turnkeeper -n '__turnkeeper_is repair' -l target -x -a 'anthropic bedrock vertex compatible openai azure gemini (__turnkeeper_at_file)' -d 'where the request will be sent: ENDPOINT[:MODEL], or an object'
complete -c turnkeeper -n '__turnkeeper_is repair' -l model -x -d 'the model that the request is for [the request\'s own]'
complete -c turnkeeper -n '__turnkeeper_is repair' -l server -x -a 'deepseek groq mistral moonshot openrouter vllm xai' -d 'the server of target compatible, if it is a known one'
complete -c turnkeeper -n '__turnkeeper_is repair' -l provider -x -a 'anthropic openai-chat openai-responses bedrock gemini' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is repair' -l betas -x -a '(__turnkeeper_at_file)' -d 'the values of the request\'s beta header: A,B or a JSON list'
complete -c turnkeeper -n '__turnkeeper_is repair' -l provenance -x -a 'wire rebuilt' -d 'turns are stored as received (wire) or were rebuilt from parts (rebuilt) [wire]'
complete -c turnkeeper -n '__turnkeeper_is repair' -l seals -x -a '(__turnkeeper_at_file)' -d 'seals of turns in this history: a JSON list or @FILE'
complete -c turnkeeper -n '__turnkeeper_is repair' -l max-violations -x -d 'list at most N findings per document (all are counted) [256]'
complete -c turnkeeper -n '__turnkeeper_is repair' -l no-guard -d 'write the document even if errors remain'
complete -c turnkeeper -n '__turnkeeper_is repair' -s o -l output -r -F -d 'write the document to FILE'
complete -c turnkeeper -n '__turnkeeper_is repair' -s i -l in-place -d 'replace the input file atomically; keep the original as FILE.orig'
complete -c turnkeeper -n '__turnkeeper_is repair' -l no-backup -d 'keep no original when the input file is replaced'
complete -c turnkeeper -n '__turnkeeper_is repair' -l check -d 'write nothing; exit 1 if something would change'
complete -c turnkeeper -n '__turnkeeper_is repair' -l diff -d 'print the edit as a unified diff instead of the document'
complete -c turnkeeper -n '__turnkeeper_is repair' -l jsonl -d 'read one document per line (detected for two lines or more)'
complete -c turnkeeper -n '__turnkeeper_is repair' -l at -x -d 'JSON pointer to the history in a larger document'
complete -c turnkeeper -n '__turnkeeper_is repair' -l max-document -x -d 'largest document or line to read [1073741824]'
complete -c turnkeeper -n '__turnkeeper_is repair' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is repair' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is repair' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is repair' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is repair' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is repair' -s v -l verbose -d 'also print what the provider would have answered'
complete -c turnkeeper -n '__turnkeeper_is repair' -s q -l quiet -d 'print no view of the edits, no summary, no progress bar'
complete -c turnkeeper -n '__turnkeeper_is repair' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is repair' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is repair' -F

complete -c turnkeeper -n '__turnkeeper_is splice' -l target -x -a 'anthropic bedrock vertex compatible openai azure gemini (__turnkeeper_at_file)' -d 'where the request will be sent: ENDPOINT[:MODEL], or an object'
complete -c turnkeeper -n '__turnkeeper_is splice' -l model -x -d 'the model that the request is for [the request\'s own]'
complete -c turnkeeper -n '__turnkeeper_is splice' -l server -x -a 'deepseek groq mistral moonshot openrouter vllm xai' -d 'the server of target compatible, if it is a known one'
complete -c turnkeeper -n '__turnkeeper_is splice' -l provider -x -a 'anthropic openai-chat openai-responses bedrock gemini' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is splice' -s o -l output -r -F -d 'write the document to FILE'
complete -c turnkeeper -n '__turnkeeper_is splice' -l assistant -x -a '(__turnkeeper_at_file)' -d 'the turn as received: the response body, JSON or @FILE'
complete -c turnkeeper -n '__turnkeeper_is splice' -l tool-results -x -a '(__turnkeeper_at_file)' -d 'the results of the client\'s tools: a JSON list or @FILE'
complete -c turnkeeper -n '__turnkeeper_is splice' -l appended -x -a '(__turnkeeper_at_file)' -d 'messages to append after the turn: a JSON list or @FILE'
complete -c turnkeeper -n '__turnkeeper_is splice' -l container -x -d 'id of the code execution container to use again'
complete -c turnkeeper -n '__turnkeeper_is splice' -l mode -x -a 'repair strict' -d 'repair what can be repaired, or refuse (strict) [repair]'
complete -c turnkeeper -n '__turnkeeper_is splice' -l merge -x -a 'separate single' -d 'keep neighbouring user messages separate, or join them [separate]'
complete -c turnkeeper -n '__turnkeeper_is splice' -l on-assistant-conflict -x -a 'error replace' -d 'what to do with an appended assistant message that replaces the turn [error]'
complete -c turnkeeper -n '__turnkeeper_is splice' -l compaction -x -a 'keep replace' -d 'what to do with the history before a compaction turn [keep]'
complete -c turnkeeper -n '__turnkeeper_is splice' -l choice -x -d 'which choice or candidate of the response is the turn [0]'
complete -c turnkeeper -n '__turnkeeper_is splice' -l state -x -a 'auto chain' -d 'the request says if the server has the history, or it has it (chain) [auto]'
complete -c turnkeeper -n '__turnkeeper_is splice' -l deferred -r -F -d 'write the messages that have to wait to FILE, as a list'
complete -c turnkeeper -n '__turnkeeper_is splice' -l max-document -x -d 'largest document or line to read [1073741824]'
complete -c turnkeeper -n '__turnkeeper_is splice' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is splice' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is splice' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is splice' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is splice' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is splice' -s q -l quiet -d 'print no view of the edits, no summary, no progress bar'
complete -c turnkeeper -n '__turnkeeper_is splice' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is splice' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is splice' -F

complete -c turnkeeper -n '__turnkeeper_is tools' -l target -x -a 'anthropic bedrock vertex compatible (__turnkeeper_at_file)' -d 'where the request will be sent: ENDPOINT[:MODEL], or an object'
complete -c turnkeeper -n '__turnkeeper_is tools' -l model -x -d 'the model that the request is for [the request\'s own]'
complete -c turnkeeper -n '__turnkeeper_is tools' -l provider -x -a 'anthropic openai-responses gemini azure-responses xai-responses' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is tools' -l betas -x -a '(__turnkeeper_at_file)' -d 'the values of the request\'s beta header: A,B or a JSON list'
complete -c turnkeeper -n '__turnkeeper_is tools' -s o -l output -r -F -d 'write the document to FILE'
complete -c turnkeeper -n '__turnkeeper_is tools' -l add -x -a '(__turnkeeper_at_file)' -d 'tools to add: short names A,B, or a JSON list of entries and names'
complete -c turnkeeper -n '__turnkeeper_is tools' -l on-conflict -x -a 'replace newest keep_base replace_custom' -d 'which of two entries for the same tool is kept [replace]'
complete -c turnkeeper -n '__turnkeeper_is tools' -l call -x -a 'messages count_tokens' -d 'the API method that the request is for [messages]'
complete -c turnkeeper -n '__turnkeeper_is tools' -l interleaved -d 'ask for thinking between tool calls'
complete -c turnkeeper -n '__turnkeeper_is tools' -l legacy-betas -d 'include the beta values that web tools needed in the past'
complete -c turnkeeper -n '__turnkeeper_is tools' -l header -d 'print the header lines that the request needs'
complete -c turnkeeper -n '__turnkeeper_is tools' -l max-document -x -d 'largest document or line to read [1073741824]'
complete -c turnkeeper -n '__turnkeeper_is tools' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is tools' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is tools' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is tools' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is tools' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is tools' -s q -l quiet -d 'print no view of the edits, no summary, no progress bar'
complete -c turnkeeper -n '__turnkeeper_is tools' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is tools' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is tools' -F

complete -c turnkeeper -n '__turnkeeper_is prepare' -l policy -x -a 'conservative preserve (__turnkeeper_at_file)' -d 'policy by name, or as an object (JSON or @FILE) [conservative]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l target -x -a 'anthropic bedrock vertex compatible openai azure gemini (__turnkeeper_at_file)' -d 'where the request will be sent: ENDPOINT[:MODEL], or an object'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l model -x -d 'the model that the request is for [the request\'s own]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l server -x -a 'deepseek groq mistral moonshot openrouter vllm xai' -d 'the server of target compatible, if it is a known one'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l provider -x -a 'anthropic openai-chat openai-responses bedrock gemini' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l betas -x -a '(__turnkeeper_at_file)' -d 'the values of the request\'s beta header: A,B or a JSON list'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l provenance -x -a 'wire rebuilt' -d 'turns are stored as received (wire) or were rebuilt from parts (rebuilt) [wire]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l seals -x -a '(__turnkeeper_at_file)' -d 'seals of turns in this history: a JSON list or @FILE'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l max-violations -x -d 'list at most N findings per document (all are counted) [256]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l no-guard -d 'write the document even if errors remain'
complete -c turnkeeper -n '__turnkeeper_is prepare' -s o -l output -r -F -d 'write the document to FILE'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l assistant -x -a '(__turnkeeper_at_file)' -d 'the turn as received: the response body, JSON or @FILE'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l tool-results -x -a '(__turnkeeper_at_file)' -d 'the results of the client\'s tools: a JSON list or @FILE'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l appended -x -a '(__turnkeeper_at_file)' -d 'messages to append after the turn: a JSON list or @FILE'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l container -x -d 'id of the code execution container to use again'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l mode -x -a 'repair strict' -d 'repair what can be repaired, or refuse (strict) [repair]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l merge -x -a 'separate single' -d 'keep neighbouring user messages separate, or join them [separate]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l on-assistant-conflict -x -a 'error replace' -d 'what to do with an appended assistant message that replaces the turn [error]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l compaction -x -a 'keep replace' -d 'what to do with the history before a compaction turn [keep]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l choice -x -d 'which choice or candidate of the response is the turn [0]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l state -x -a 'auto chain' -d 'the request says if the server has the history, or it has it (chain) [auto]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l deferred -r -F -d 'write the messages that have to wait to FILE, as a list'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l add -x -a '(__turnkeeper_at_file)' -d 'tools to add: short names A,B, or a JSON list of entries and names'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l on-conflict -x -a 'replace newest keep_base replace_custom' -d 'which of two entries for the same tool is kept [replace]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l call -x -a 'messages count_tokens' -d 'the API method that the request is for [messages]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l interleaved -d 'ask for thinking between tool calls'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l legacy-betas -d 'include the beta values that web tools needed in the past'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l header -d 'print the header lines that the request needs'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l max-document -x -d 'largest document or line to read [1073741824]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is prepare' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is prepare' -s v -l verbose -d 'also print what the provider would have answered'
complete -c turnkeeper -n '__turnkeeper_is prepare' -s q -l quiet -d 'print no view of the edits, no summary, no progress bar'
complete -c turnkeeper -n '__turnkeeper_is prepare' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is prepare' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is prepare' -F

complete -c turnkeeper -n '__turnkeeper_is seal' -s o -l output -r -F -d 'write the document to FILE'
complete -c turnkeeper -n '__turnkeeper_is seal' -l request -x -a '(__turnkeeper_at_file)' -d 'the request body that this turn answers: JSON or @FILE'
complete -c turnkeeper -n '__turnkeeper_is seal' -l blocks -d 'include the blocks, so that they can be restored'
complete -c turnkeeper -n '__turnkeeper_is seal' -l max-document -x -d 'largest document or line to read [1073741824]'
complete -c turnkeeper -n '__turnkeeper_is seal' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is seal' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is seal' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is seal' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is seal' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is seal' -s q -l quiet -d 'print no view of the edits, no summary, no progress bar'
complete -c turnkeeper -n '__turnkeeper_is seal' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is seal' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is seal' -F

complete -c turnkeeper -n '__turnkeeper_is stream' -l policy -x -a 'conservative preserve (__turnkeeper_at_file)' -d 'policy by name, or as an object (JSON or @FILE) [conservative]'
complete -c turnkeeper -n '__turnkeeper_is stream' -l provider -x -a 'anthropic openai-chat openai-responses bedrock gemini' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is stream' -l wire -x -a 'sse eventstream json' -d 'how the bytes are framed [sse; bedrock: eventstream]'
complete -c turnkeeper -n '__turnkeeper_is stream' -l emit -x -a 'wire sse events parts' -d 'write bytes, or JSON lines of events or parts [wire: bytes framed as they came]'
complete -c turnkeeper -n '__turnkeeper_is stream' -l provider-input -x -a 'whole deltas' -d 'send the input of a provider\'s call whole or in deltas [whole]'
complete -c turnkeeper -n '__turnkeeper_is stream' -l history -r -F -d 'the messages sent with the request: a list or the body'
complete -c turnkeeper -n '__turnkeeper_is stream' -l message -r -F -d 'write the assembled message to FILE when the stream is done'
complete -c turnkeeper -n '__turnkeeper_is stream' -l turn -r -F -d 'write to FILE what can be stored, also when the stream failed'
complete -c turnkeeper -n '__turnkeeper_is stream' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is stream' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is stream' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is stream' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is stream' -s V -l version -d 'print the version'

complete -c turnkeeper -n '__turnkeeper_is rules' -l man -d 'print all rules as a man page'
complete -c turnkeeper -n '__turnkeeper_is rules' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is rules' -s V -l version -d 'print the version'

complete -c turnkeeper -n '__turnkeeper_is explain' -l dialect -x -a 'anthropic fantasy ai-sdk openai-chat openai-responses bedrock gemini' -d 'format of the messages [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is explain' -l policy -x -a 'conservative preserve (__turnkeeper_at_file)' -d 'policy by name, or as an object (JSON or @FILE) [conservative]'
complete -c turnkeeper -n '__turnkeeper_is explain' -l target -x -a 'anthropic bedrock vertex compatible openai azure gemini (__turnkeeper_at_file)' -d 'where the request will be sent: ENDPOINT[:MODEL], or an object'
complete -c turnkeeper -n '__turnkeeper_is explain' -l model -x -d 'the model that the request is for [the request\'s own]'
complete -c turnkeeper -n '__turnkeeper_is explain' -l server -x -a 'deepseek groq mistral moonshot openrouter vllm xai' -d 'the server of target compatible, if it is a known one'
complete -c turnkeeper -n '__turnkeeper_is explain' -l provider -x -a 'anthropic openai-chat openai-responses bedrock gemini' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is explain' -l betas -x -a '(__turnkeeper_at_file)' -d 'the values of the request\'s beta header: A,B or a JSON list'
complete -c turnkeeper -n '__turnkeeper_is explain' -l provenance -x -a 'wire rebuilt' -d 'turns are stored as received (wire) or were rebuilt from parts (rebuilt) [wire]'
complete -c turnkeeper -n '__turnkeeper_is explain' -l seals -x -a '(__turnkeeper_at_file)' -d 'seals of turns in this history: a JSON list or @FILE'
complete -c turnkeeper -n '__turnkeeper_is explain' -l jsonl -d 'read one document per line (detected for two lines or more)'
complete -c turnkeeper -n '__turnkeeper_is explain' -l at -x -d 'JSON pointer to the history in a larger document'
complete -c turnkeeper -n '__turnkeeper_is explain' -l max-document -x -d 'largest document or line to read [1073741824]'
complete -c turnkeeper -n '__turnkeeper_is explain' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is explain' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is explain' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is explain' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is explain' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is explain' -s v -l verbose -d 'also print what the provider would have answered'
complete -c turnkeeper -n '__turnkeeper_is explain' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is explain' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is explain' -F

complete -c turnkeeper -n '__turnkeeper_is redact' -l dialect -x -a 'anthropic fantasy ai-sdk openai-chat openai-responses bedrock gemini' -d 'format of the messages [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is redact' -l provider -x -a 'anthropic openai-chat openai-responses bedrock gemini' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is redact' -s o -l output -r -F -d 'write the document to FILE'
complete -c turnkeeper -n '__turnkeeper_is redact' -l jsonl -d 'read one document per line (detected for two lines or more)'
complete -c turnkeeper -n '__turnkeeper_is redact' -l at -x -d 'JSON pointer to the history in a larger document'
complete -c turnkeeper -n '__turnkeeper_is redact' -l max-document -x -d 'largest document or line to read [1073741824]'
complete -c turnkeeper -n '__turnkeeper_is redact' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is redact' -l daemon -d 'do the work in the daemon, over its default socket'
complete -c turnkeeper -n '__turnkeeper_is redact' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is redact' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is redact' -s q -l quiet -d 'print no view of the edits, no summary, no progress bar'
complete -c turnkeeper -n '__turnkeeper_is redact' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is redact' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is redact' -F

complete -c turnkeeper -n '__turnkeeper_is health' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is health' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is health' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is health' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is health' -s V -l version -d 'print the version'

complete -c turnkeeper -n '__turnkeeper_is stats' -l format -x -a 'json prometheus openmetrics' -d 'counters as json, or as a text that Prometheus reads [json]'
complete -c turnkeeper -n '__turnkeeper_is stats' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is stats' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is stats' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is stats' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is stats' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is stats' -s V -l version -d 'print the version'

complete -c turnkeeper -n '__turnkeeper_is info' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is info' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is info' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is info' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is info' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is info' -s V -l version -d 'print the version'

complete -c turnkeeper -n '__turnkeeper_is ping' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is ping' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is ping' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is ping' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is ping' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is ping' -s V -l version -d 'print the version'

complete -c turnkeeper -n '__turnkeeper_is call' -l provider -x -a 'anthropic openai-chat openai-responses bedrock gemini' -d 'provider whose rules apply [found out, else anthropic]'
complete -c turnkeeper -n '__turnkeeper_is call' -l socket -r -F -d 'do the work in the daemon, over its main socket PATH'
complete -c turnkeeper -n '__turnkeeper_is call' -l timeout-ms -x -d 'give up after N milliseconds'
complete -c turnkeeper -n '__turnkeeper_is call' -l json -d 'print the result object, one per line'
complete -c turnkeeper -n '__turnkeeper_is call' -l color -x -a 'auto always never' -d 'colour: auto (on a terminal), always or never [auto]'
complete -c turnkeeper -n '__turnkeeper_is call' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is call' -s V -l version -d 'print the version'
complete -c turnkeeper -n '__turnkeeper_is call' -a 'validate repair repair_turn seal pair splice tools fit prepare explain report_miss detect redact ping health stats info (__turnkeeper_at_file)'

complete -c turnkeeper -n '__turnkeeper_is help' -s h -l help -d 'print this help'
complete -c turnkeeper -n '__turnkeeper_is help' -s V -l version -d 'print the version'
