/** Every code that a check gives, with what it means. Most are errors; README.md says which are warnings. */
export const workflowProblemCodes = {
  'not-json':
    'The input is no plain data: a getter, a cycle, a class, a function, a number that JSON has not.',
  'too-large': 'A limit is passed; nothing else was looked at.',
  'forbidden-key': 'A key is `__proto__`.',
  'broken-text': 'A text holds half a character.',
  'not-a-workflow': 'The input is no object.',
  'bad-workflow-name': 'The name is missing, empty or longer than 128 characters.',
  'bad-settings': 'settings, or a value in them, is none that n8n takes.',
  'bad-time-zone': 'There is no such time zone.',
  'bad-static-data': 'staticData is no object.',
  'bad-pin-data': 'pinData is no object.',
  'no-nodes': 'nodes is missing, no list, or empty.',
  'bad-node': 'A node is no object.',
  'bad-node-field': 'A field of a node is missing or not what n8n takes.',
  'bad-credential': 'A credential is no reference with id and name.',
  'duplicate-node-name': 'Two nodes have one name.',
  'duplicate-node-id': 'Two nodes have one id.',
  'bad-connections': 'Connections are not of the form that n8n takes.',
  'bad-connection-index': 'The index of an input is no whole number from 0 to 255.',
  'unknown-connection-source': 'A connection starts at a node that does not exist.',
  'unknown-connection-target': 'A connection leads to a node that does not exist.',
  'no-such-output': 'A connection starts at an output that the node has not.',
  'no-such-input': 'A connection leads to an input that the node has not.',
  'unknown-node-type': 'This release of n8n has no such node.',
  'unknown-node-version': 'This release of n8n has no such version of the node.',
  'excluded-node-type': 'This release of n8n leaves the node out unless its operator allows it.',
  'no-trigger': 'Nothing starts the workflow.',
  'only-manual-trigger': 'Only a person in the editor, or another workflow, could start it.',
  'unreachable-node': 'No data ever comes to a node.',
  'several-webhooks': 'There is more than one webhook.',
  'bad-webhook-method': 'The method of a webhook is none.',
  'webhook-not-post': 'A webhook does not answer POST.',
  'bad-webhook-path': 'The path of a webhook is no text.',
  'duplicate-webhook-path': 'Two webhooks have one path and method.',
  'no-respond-node': 'A webhook waits for a Respond to Webhook node that is not there.',
  'respond-node-unused':
    'A Respond to Webhook node answers nobody; an error where n8n refuses calls for it.',
  'bad-schedule': 'A schedule that n8n would never start.',
  'bad-cron': 'A cron expression that n8n would never start.',
  'bad-expression':
    'n8n cannot evaluate an expression: no JavaScript, a function that is not called, syntax or a name (`caller`, `constructor`, `arguments`, …) that it denies.',
  'unclosed-expression': 'An expression lacks its closing braces; n8n runs it.',
  'expression-without-equals':
    'A text with `{{ }}` does not begin with `=`, so n8n does not evaluate it.',
  'bad-code': 'The JavaScript of a node cannot be parsed.',
  'unknown-node-reference': 'An expression or a program refers to a node that does not exist.',
  'environment-access':
    'An expression or a program reads `$env` or `$vars`, or holds `$evaluateExpression` or `$item(…)`, which could.',
  'missing-parameter': 'A node lacks a parameter that it needs.',
  'bad-parameter-value': 'A parameter has a value that it cannot have.',
  'ignored-parameter':
    'n8n does not read a parameter: the version of the node has none of that name, another one switches it off, or it has another form. A warning where it could be repaired.',
  'ignored-condition':
    'Conditions are not of the form that the version of the node reads, so that they hold always, or never.',
  'no-conditions': 'An If or Filter has no condition: all items pass, or none.',
  'missing-credential': 'A node lacks a credential that it needs.',
  'unused-credential':
    'A node names a credential that it does not take; an error where it would go out without any.',
  'secret-in-workflow': 'A key, token or password stands in the workflow in plain text.',
  'node-not-allowed': 'The policy denies the node, or its list of allowed nodes lacks it.',
  'powerful-node': 'A node reaches the machine that n8n runs on, or n8n itself.',
  'code-not-allowed': 'A node runs code that stands in the workflow.',
  'sub-workflow-not-allowed': 'A node, or settings.errorWorkflow, runs another workflow.',
  'host-not-allowed': 'A node reaches a host that is not listed.',
  'host-unknown': 'Which host a node reaches cannot be told before it runs.',
  'pinned-data': 'The workflow has pinned data.',
  'disabled-node': 'A node is disabled.',
} as const

/** A code of {@link workflowProblemCodes}. */
export type WorkflowProblemCode = keyof typeof workflowProblemCodes
