import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { SeenRequest, StubAnswer } from './business-stub.ts'

/** What a template does with a good call, and how it refuses bad ones. */
export interface TemplateCase {
  readonly slug: string
  readonly customizations?: JsonObject
  readonly answers: Readonly<Record<string, StubAnswer | ((seen: SeenRequest) => StubAnswer)>>
  readonly arguments: JsonObject
  /** Exactly what the services are asked, in order; keys of idempotency begin with that of the call. */
  readonly asks: readonly {
    readonly at: string
    readonly body?: JsonValue
    readonly key?: string
  }[]
  readonly result: JsonObject
  /** Arguments that differ from the good ones, and a part of the refusal; `undefined` leaves one out. */
  readonly refused: readonly (readonly [Readonly<Record<string, unknown>>, string])[]
}

const phone = '+2348012345678'
const owner = '+2348000000001'
const now = '2026-02-01T00:00:00Z'
const sent: StubAnswer = { body: { messages: [{ id: 'wamid.1' }] } }
const day = 'from=2026-01-31T00%3A00%3A00.000Z&to=2026-02-01T00%3A00%3A00.000Z'

function whatsApp(to: string, body: string): JsonValue {
  return { messaging_product: 'whatsapp', to, type: 'text', text: { body } }
}

const drafted = (seen: SeenRequest): StubAnswer => {
  const { leadId, invoiceId } = seen.body as { leadId?: string; invoiceId?: string }
  return { body: { id: `d-${leadId ?? invoiceId}` } }
}

export const templateCases: readonly TemplateCase[] = [
  {
    slug: 'lead-followup',
    answers: {
      'GET /leads': {
        body: {
          leads: [
            { id: 7, name: 'Ada', phone, lastContactAt: '2026-01-20T10:00:00Z' },
            { id: 'L 8/ä', name: null, phone, lastContactAt: '2026-01-28T23:59:59Z' },
            { id: 'fresh', name: 'Bob', phone, lastContactAt: '2026-01-31T10:00:00Z' },
            { id: 'no-phone', name: 'Cy', phone: null, lastContactAt: '2026-01-01T10:00:00Z' },
          ],
        },
      },
      'POST /drafts': drafted,
    },
    arguments: { now },
    asks: [
      { at: 'GET /leads?status=open' },
      {
        at: 'POST /drafts',
        key: 'save-draft:7',
        body: {
          leadId: '7',
          channel: 'whatsapp',
          to: phone,
          text: 'Hi Ada, just checking in: is there anything I can help you with?',
        },
      },
      {
        at: 'POST /drafts',
        key: 'save-draft:L%208%2F%C3%A4',
        body: {
          leadId: 'L 8/ä',
          channel: 'whatsapp',
          to: phone,
          text: 'Hi there, just checking in: is there anything I can help you with?',
        },
      },
    ],
    result: {
      drafted: 2,
      drafts: [
        { leadId: '7', draftId: 'd-7' },
        { leadId: 'L 8/ä', draftId: 'd-L 8/ä' },
      ],
      failed: 0,
      failures: [],
      skipped: [{ leadId: 'no-phone', reason: 'no phone number in E.164' }],
      remaining: 0,
    },
    refused: [
      [{ inactiveDays: 0 }, 'inactiveDays must be a whole number from 1 to 365.'],
      [{ inactiveDays: '3' }, 'inactiveDays must be'],
      [{ now: '2026-02-01' }, 'now must be a date and time with its offset'],
      [{ days: 3 }, 'There is no argument days.'],
    ],
  },
  {
    slug: 'order-status-notify',
    answers: { 'POST /messages': sent },
    arguments: { orderId: 'A-1', status: 'on its way', phone, customerName: 'Ada' },
    asks: [
      {
        at: 'POST /messages',
        key: 'send-message',
        body: whatsApp(phone, 'Hi Ada, your order A-1 is now on its way.'),
      },
    ],
    result: { orderId: 'A-1', messageId: 'wamid.1' },
    refused: [
      [{ orderId: undefined }, 'orderId is missing'],
      [{ status: ' ' }, 'status must be a text of 1 to 60 characters.'],
      [{ phone: '0801 234' }, 'phone must be a phone number in E.164'],
      [{ phone: ['+2348012345678'] }, 'phone must be'],
      [{ orderId: 'x'.repeat(65) }, 'orderId must be'],
      [{ customer: 'Ada' }, 'There is no argument customer.'],
    ],
  },
  {
    slug: 'payment-reminder',
    customizations: { currency: 'NGN' },
    answers: {
      'GET /invoices': {
        body: {
          invoices: [
            {
              id: 'i1',
              number: '2026-7',
              customerName: 'Ada',
              phone,
              amount: 12.5,
              currency: 'EUR',
              dueAt: '2026-01-22',
            },
            { id: 'i2', customerName: 'Bob', phone, amount: 90, dueAt: '2026-01-31' },
            { id: 'i3', customerName: 'Cy', phone, amount: 90, dueAt: '2026-02-01' },
            { id: 'i4', customerName: 'Di', phone, dueAt: '2026-01-01' },
          ],
        },
      },
      'POST /drafts': drafted,
    },
    arguments: { now },
    asks: [
      { at: 'GET /invoices?status=overdue' },
      {
        at: 'POST /drafts',
        key: 'save-draft:i1',
        body: {
          invoiceId: 'i1',
          channel: 'whatsapp',
          to: phone,
          text: 'Hi Ada, a reminder: invoice 2026-7 over EUR 12.5 was due on 2026-01-22.',
        },
      },
      {
        at: 'POST /drafts',
        key: 'save-draft:i2',
        body: {
          invoiceId: 'i2',
          channel: 'whatsapp',
          to: phone,
          text: 'Hi Bob, a reminder: invoice i2 over NGN 90 was due on 2026-01-31.',
        },
      },
    ],
    result: {
      drafted: 2,
      drafts: [
        { invoiceId: 'i1', draftId: 'd-i1' },
        { invoiceId: 'i2', draftId: 'd-i2' },
      ],
      failed: 0,
      failures: [],
      skipped: [{ invoiceId: 'i4', reason: 'no amount' }],
      remaining: 0,
    },
    refused: [
      [{ overdueDays: -1 }, 'overdueDays must be a whole number from 0 to 365.'],
      [{ overdueDays: 1.5 }, 'overdueDays must be'],
    ],
  },
  {
    slug: 'new-lead-welcome',
    answers: { 'POST /pipeline': { status: 201, body: { id: 44 } }, 'POST /messages': sent },
    arguments: { name: 'Ada', phone, email: 'ada@example.com' },
    asks: [
      {
        at: 'POST /pipeline',
        key: 'add-to-pipeline',
        body: { name: 'Ada', phone, email: 'ada@example.com', stage: 'new' },
      },
      {
        at: 'POST /messages',
        key: 'send-welcome',
        body: whatsApp(phone, 'Hi Ada, thank you for your interest! How can we help you?'),
      },
    ],
    result: { contactId: '44', messageId: 'wamid.1' },
    refused: [
      [{ name: undefined }, 'name is missing'],
      [{ email: 5 }, 'email must be a text of 1 to 254 characters.'],
    ],
  },
  {
    slug: 'daily-summary',
    customizations: { ownerPhone: owner, timeZone: 'Africa/Lagos' },
    answers: {
      'GET /stats': {
        body: { stats: { 'New leads': 4, Revenue: 'NGN 12,000', nested: { a: 1 }, Orders: 0 } },
      },
      'POST /messages': sent,
    },
    arguments: { now },
    asks: [
      { at: `GET /stats?${day}` },
      {
        at: 'POST /messages',
        key: 'tell-owner',
        body: whatsApp(
          owner,
          'Good morning! Your business on 2026-01-31:\nNew leads: 4\nRevenue: NGN 12,000\nOrders: 0',
        ),
      },
    ],
    result: {
      from: '2026-01-31T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      stats: { 'New leads': 4, Revenue: 'NGN 12,000', Orders: 0 },
      text: 'Good morning! Your business on 2026-01-31:\nNew leads: 4\nRevenue: NGN 12,000\nOrders: 0',
      messageId: 'wamid.1',
    },
    refused: [[{ periodHours: 745 }, 'periodHours must be a whole number from 1 to 744.']],
  },
  {
    slug: 'new-lead-notification',
    customizations: { ownerPhone: owner },
    answers: { 'POST /messages': sent },
    arguments: { name: 'Ada', phone, note: 'Wants a quote' },
    asks: [
      {
        at: 'POST /messages',
        key: 'tell-owner',
        body: whatsApp(
          owner,
          `New lead: Ada\nPhone: ${phone}\nE-mail: -\nSource: -\nWants a quote`,
        ),
      },
    ],
    result: { messageId: 'wamid.1' },
    refused: [
      [{ name: '' }, 'name must be'],
      [{ phone: '+0123456789' }, 'phone must be'],
    ],
  },
  {
    slug: 'order-fulfillment',
    answers: {
      'POST /stock/reservations': { status: 201, body: { id: 'r1' } },
      'POST /fulfillment-tasks': { status: 201, body: { id: 't1' } },
      'POST /messages': sent,
    },
    arguments: { orderId: 'A-1', items: [{ sku: 'S', quantity: 2 }], phone, customerName: 'Ada' },
    asks: [
      {
        at: 'POST /stock/reservations',
        key: 'reserve-stock',
        body: { orderId: 'A-1', items: [{ sku: 'S', quantity: 2 }] },
      },
      {
        at: 'POST /fulfillment-tasks',
        key: 'create-task',
        body: { orderId: 'A-1', items: [{ sku: 'S', quantity: 2 }], reservationId: 'r1' },
      },
      {
        at: 'POST /messages',
        key: 'confirm-to-customer',
        body: whatsApp(phone, 'Hi Ada, we have got your order A-1 and are preparing it now.'),
      },
    ],
    result: { orderId: 'A-1', reservationId: 'r1', taskId: 't1', messageId: 'wamid.1' },
    refused: [
      [{ items: [] }, 'items must be a list of 1 to 100 objects'],
      [{ items: [{ sku: 'S' }] }, 'items must be'],
      [{ items: [{ sku: 'S', quantity: 0 }] }, 'items must be'],
      [{ items: [{ sku: 'S', quantity: 1, price: 0 }] }, 'items must be'],
      [{ items: [null] }, 'items must be'],
    ],
  },
  {
    slug: 'payment-received',
    answers: { 'POST /invoices/payments': { body: { id: 'b1' } }, 'POST /messages': sent },
    arguments: { paymentId: 'p1', invoiceId: 'i1', amount: 12.5, currency: 'NGN', phone },
    asks: [
      {
        at: 'POST /invoices/payments',
        key: 'mark-invoice-paid',
        body: { invoiceId: 'i1', paymentId: 'p1', amount: 12.5, currency: 'NGN', status: 'paid' },
      },
      {
        at: 'POST /messages',
        key: 'send-receipt',
        body: whatsApp(phone, 'Hi there, we have received NGN 12.5 for invoice i1. Thank you!'),
      },
    ],
    result: { invoiceId: 'i1', bookingId: 'b1', messageId: 'wamid.1' },
    refused: [
      [{ amount: '12.5' }, 'amount must be a number above 0'],
      [{ amount: 0 }, 'amount must be'],
      [{ currency: 'naira' }, 'currency must be three capitals'],
    ],
  },
  {
    slug: 'daily-report',
    customizations: { ownerPhone: owner },
    answers: {
      'GET /orders': {
        body: {
          orders: [
            { total: 0.1 },
            { total: 0.2, currency: 'USD' },
            { total: 5, currency: 'EUR' },
            {},
          ],
        },
      },
      'GET /payments': { body: { payments: [] } },
      'GET /leads': { body: { leads: [{}, {}] } },
      'POST /messages': sent,
    },
    arguments: { now },
    asks: [
      { at: `GET /orders?${day}` },
      { at: `GET /payments?${day}` },
      { at: `GET /leads?${day}` },
      {
        at: 'POST /messages',
        key: 'tell-owner',
        body: whatsApp(
          owner,
          'Report for 2026-01-31\nOrders: 4 (USD 0.3, EUR 5)\nPayments: 0 (-)\nNew leads: 2',
        ),
      },
    ],
    result: {
      from: '2026-01-31T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      orders: 4,
      orderTotals: { USD: 0.3, EUR: 5 },
      payments: 0,
      paymentTotals: {},
      leads: 2,
      withoutAmount: 1,
      text: 'Report for 2026-01-31\nOrders: 4 (USD 0.3, EUR 5)\nPayments: 0 (-)\nNew leads: 2',
      messageId: 'wamid.1',
    },
    refused: [[{ now: 'yesterday' }, 'now must be']],
  },
  {
    slug: 'low-stock-alert',
    customizations: { ownerPhone: owner },
    answers: {
      'GET /stock': {
        body: {
          stock: [
            { sku: 'S1', name: 'Soap', quantity: 5 },
            { sku: 'S2', quantity: 0 },
            { sku: 'S3', name: 'Salt', quantity: 6 },
            { sku: 'S4', name: 'Silk', quantity: 40, threshold: 50 },
            { sku: 'S5', name: 'Sand', quantity: 1, threshold: 0 },
            { name: 'nothing' },
          ],
        },
      },
      'POST /messages': sent,
    },
    arguments: {},
    asks: [
      { at: 'GET /stock' },
      {
        at: 'POST /messages',
        key: 'tell-owner',
        body: whatsApp(owner, 'Low stock (3):\nSoap (S1): 5\nS2: 0\nSilk (S4): 40'),
      },
    ],
    result: {
      isAlerted: true,
      low: [
        { sku: 'S1', name: 'Soap', quantity: 5, threshold: 5 },
        { sku: 'S2', name: 'S2', quantity: 0, threshold: 5 },
        { sku: 'S4', name: 'Silk', quantity: 40, threshold: 50 },
      ],
      checked: 6,
      unreadable: 1,
      messageId: 'wamid.1',
    },
    refused: [[{ threshold: -1 }, 'threshold must be a whole number from 0 to 1000000.']],
  },
]
