import { expression } from './expression.ts'
import type { NodeDraft } from './workflow-builder.ts'

/** Replaces an item by the JSON that an expression gives. Its second output is taken when the expression fails. */
export function jsonNode(
  name: string,
  code: string,
  options: { readonly once?: true; readonly onError?: 'continueRegularOutput' } = {},
): NodeDraft {
  return {
    name,
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    parameters: { mode: 'raw', jsonOutput: expression(code), options: {} },
    onError: options.onError ?? 'continueErrorOutput',
    ...(options.once === true ? { executeOnce: true } : {}),
  }
}

/** Leads items on by a condition: the first output where it holds, else the second. */
export function conditionNode(name: string, code: string): NodeDraft {
  return {
    name,
    type: 'n8n-nodes-base.if',
    typeVersion: 2.2,
    parameters: {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
        combinator: 'and',
        conditions: [
          {
            id: 'holds',
            leftValue: expression(`!!(${code})`),
            rightValue: true,
            operator: { type: 'boolean', operation: 'true', singleValue: true },
          },
        ],
      },
      options: {},
    },
  }
}

/** Makes an item of each entry of a list. */
export function splitNode(name: string, field: string): NodeDraft {
  return {
    name,
    type: 'n8n-nodes-base.splitOut',
    typeVersion: 1,
    parameters: { fieldToSplitOut: field, include: 'noOtherFields', options: {} },
  }
}

/** Where callers come in. Its path is a stand-in until the workflow is bound. */
export function callNode(slug: string): NodeDraft {
  return {
    name: 'Call',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    webhookId: slug,
    parameters: { httpMethod: 'POST', path: slug, responseMode: 'responseNode', options: {} },
  }
}

/** Starts every day. @param time such as `09:00`, in the time zone of the workflow */
export function scheduleNode(time: string): NodeDraft {
  const [hour, minute] = time.split(':').map(Number)
  return {
    name: 'Schedule',
    type: 'n8n-nodes-base.scheduleTrigger',
    typeVersion: 1.2,
    parameters: {
      rule: { interval: [{ field: 'cronExpression', expression: `${minute} ${hour} * * *` }] },
    },
  }
}

/** Answers the caller with `envelope` of the item and the HTTP status `httpStatus`; does nothing where a schedule started. */
export function answerNode(): NodeDraft {
  return {
    name: 'Answer',
    type: 'n8n-nodes-base.respondToWebhook',
    typeVersion: 1.1,
    parameters: {
      respondWith: 'json',
      responseBody: expression('JSON.stringify($json.envelope)'),
      options: { responseCode: expression('$json.httpStatus') },
    },
  }
}

/** Ends the execution as failed. */
export function failNode(name: string, code: string): NodeDraft {
  return {
    name,
    type: 'n8n-nodes-base.stopAndError',
    typeVersion: 1,
    parameters: { errorMessage: expression(code) },
  }
}
