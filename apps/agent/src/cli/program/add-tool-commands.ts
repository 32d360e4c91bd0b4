import type { Command } from 'commander'
import type { CommandWiring } from './command-wiring.ts'

/** Adds tools list, show, policy, dynamic, n8n and call. */
export function addToolCommands(program: Command, { act, examples }: CommandWiring): void {
  const tools = program.command('tools').description('list, show and call tools')
  tools
    .command('list')
    .description('tools that can be called')
    .addHelpText('before', examples(['tools list']))
    .action(act(async () => (await import('../commands/tools-command.ts')).runToolsList))
  tools
    .command('show')
    .argument('<name>')
    .description('schemas, source and versions of a tool')
    .addHelpText('before', examples(['tools show shipping_cost']))
    .action(act(async () => (await import('../commands/tools-command.ts')).runToolsShow))
  tools
    .command('policy')
    .description(
      'what the built-in tools may do, which are on, and why; what code tools may do at most',
    )
    .addHelpText('before', examples(['tools policy', 'tools policy --json']))
    .action(act(async () => (await import('../commands/policy-command.ts')).runToolsPolicy))
  tools
    .command('dynamic')
    .description('files of the dynamic folder, each with what became of it')
    .addHelpText('before', examples(['tools dynamic', 'tools dynamic --json']))
    .action(act(async () => (await import('../commands/dynamic-command.ts')).runToolsDynamic))
  tools
    .command('n8n')
    .description('how n8n is, what workflows may hold, and how each tool on it is')
    .addHelpText('before', examples(['tools n8n', 'tools n8n --json']))
    .action(act(async () => (await import('../commands/n8n-command.ts')).runToolsN8n))
  tools
    .command('call')
    .argument('<name>')
    .argument('[input]', 'JSON; - for standard input; nothing for {}')
    .option('--timeout <ms>', 'how long the call may take, in milliseconds')
    .description('call a tool; the call is logged')
    .addHelpText(
      'before',
      examples([
        'tools call shipping_cost \'{"weight_kg":12}\'',
        'tools call file \'{"operation":"list","path":"."}\'',
      ]),
    )
    .action(act(async () => (await import('../commands/tools-command.ts')).runToolsCall))
}
