import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { tool as langchainTool } from '@langchain/core/tools'
import { RunContext, invokeFunctionTool, tool as agentsTool } from '@openai/agents-core'
import { execute, inputAt, inputSchema, inputTextAt, timeoutMs } from './example-tool.ts'
import type { Variant } from './measure-variants.ts'

const peerNames = {
  aiSdk: 'AI SDK 7 (parse, run, toolMs)',
  openAiAgents: 'OpenAI Agents (timeoutMs)',
  langChain: 'LangChain (timeout)',
} as const

/** Calls of the example tool through other frameworks, each with a timeout, none with a log. */
export async function createPeerCalls(): Promise<readonly Variant[]> {
  return [await callAiSdk(), callOpenAiAgents(), callLangChain()]
}

interface AiSdkInternals {
  readonly tool: (definition: object) => unknown
  readonly parseToolCall: (request: object) => Promise<object>
  readonly executeToolCall: (request: object) => Promise<{ output: { type: string } } | undefined>
}

/** Its two functions for one tool call are inside its agent loop, and not exported: the loop itself costs far more. */
async function callAiSdk(): Promise<Variant> {
  const hooks = registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (!url.endsWith('/ai/dist/index.js')) return loaded
      const source = readFileSync(fileURLToPath(url), 'utf8')
      return { ...loaded, source: `${source}\nexport { parseToolCall, executeToolCall };` }
    },
  })
  const { tool, parseToolCall, executeToolCall } = (await import('ai')) as unknown as AiSdkInternals
  hooks.deregister()
  const tools = { answer: tool({ description: 'Answers', inputSchema, execute }) }
  return {
    name: peerNames.aiSdk,
    run: async (index) => {
      const toolCall = await parseToolCall({
        toolCall: {
          type: 'tool-call',
          toolCallId: 'call',
          toolName: 'answer',
          input: inputTextAt(index),
        },
        tools,
        messages: [],
      })
      const executed = await executeToolCall({
        toolCall,
        tools,
        toolsContext: {},
        callId: 'call',
        messages: [],
        timeout: { toolMs: timeoutMs },
      })
      if (executed?.output.type !== 'tool-result') throw new Error('AI SDK: the call failed')
      return executed
    },
  }
}

function callOpenAiAgents(): Variant {
  const tool = agentsTool({
    name: 'answer',
    description: 'Answers',
    parameters: inputSchema,
    execute,
    timeoutMs,
    errorFunction: null,
  })
  const runContext = new RunContext()
  return {
    name: peerNames.openAiAgents,
    run: (index) => invokeFunctionTool({ tool, runContext, input: inputTextAt(index) }),
  }
}

function callLangChain(): Variant {
  const tool = langchainTool(execute, {
    name: 'answer',
    description: 'Answers',
    schema: inputSchema,
  })
  return {
    name: peerNames.langChain,
    run: (index) => tool.invoke(inputAt(index), { timeout: timeoutMs }),
  }
}
