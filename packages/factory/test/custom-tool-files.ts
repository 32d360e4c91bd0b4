import type { CustomTool } from '../src/index.ts'
// @boundaries-ignore tests of the packages share what sets the scene
import { shippingProgram } from '../../kind-compute/test/compute-proposal.ts'

/** The shipping example as a file holds it. */
export const shippingFile: CustomTool = {
  name: 'shipping_cost',
  description: 'Calculates shipping cost by weight',
  type: 'compute',
  parameters: { weight_kg: { type: 'number', description: 'Weight in kilograms' } },
  riskLevel: 'medium',
  createdAt: '2026-02-24T12:00:00.000Z',
  createdBy: 'toolFactory_compute',
  logic: shippingProgram,
}
