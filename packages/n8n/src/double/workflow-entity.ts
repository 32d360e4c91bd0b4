import type { JsonObject } from '@toolcrib/registry'
import type { DoubleState, DoubleWorkflow, DoubleWorkflowVersion } from './double-state.ts'

/** Parts of a workflow that only some answers have. */
export type EntityPart = 'tags' | 'shared' | 'activeVersion' | 'publishHistory' | 'parentFolder'

/** A workflow as the public API shows it. */
export function workflowEntity(
  state: DoubleState,
  workflow: DoubleWorkflow,
  parts: readonly EntityPart[],
): JsonObject {
  const has = (part: EntityPart): boolean => parts.includes(part)
  const live = workflow.versions.find((each) => each.versionId === workflow.activeVersionId)
  return {
    id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    active: workflow.active,
    activeVersionId: workflow.activeVersionId,
    createdAt: workflow.createdAt,
    updatedAt: workflow.updatedAt,
    isArchived: workflow.isArchived,
    versionId: workflow.versionId,
    versionCounter: workflow.versionCounter,
    ...(state.major === 2 ? { sourceWorkflowId: null } : {}),
    triggerCount: workflow.triggerCount,
    nodes: workflow.nodes,
    connections: workflow.connections,
    ...(state.major === 2 ? { nodeGroups: [] } : {}),
    settings: workflow.settings,
    staticData: workflow.staticData,
    pinData: workflow.pinData,
    meta: null,
    ...(has('tags') ? { tags: [...workflow.tagIds].flatMap((id) => tagEntity(state, id)) } : {}),
    ...(has('shared') ? { shared: [sharing(state, workflow)] } : {}),
    ...(has('activeVersion')
      ? {
          activeVersion:
            live === undefined
              ? null
              : activeVersion(state, workflow, { live, history: has('publishHistory') }),
        }
      : {}),
    ...(has('parentFolder') ? { parentFolder: null } : {}),
  }
}

/** A tag as lists show it. */
export function tagEntity(state: DoubleState, id: string): JsonObject[] {
  const tag = state.tags.get(id)
  if (tag === undefined) return []
  return [{ id: tag.id, name: tag.name, createdAt: tag.createdAt, updatedAt: tag.updatedAt }]
}

function activeVersion(
  state: DoubleState,
  workflow: DoubleWorkflow,
  { live, history }: { readonly live: DoubleWorkflowVersion; readonly history: boolean },
): JsonObject {
  return {
    ...versionEntity(state, workflow, live),
    ...(state.major === 2 ? { autosaved: false } : {}),
    ...(history && state.major === 2 ? { workflowPublishHistory: live.publishHistory } : {}),
  }
}

/** One version with its nodes. */
export function versionEntity(
  state: DoubleState,
  workflow: DoubleWorkflow,
  version: DoubleWorkflowVersion,
): JsonObject {
  return {
    versionId: version.versionId,
    workflowId: workflow.id,
    nodes: version.nodes,
    connections: version.connections,
    ...(state.major === 2 ? { nodeGroups: [] } : {}),
    authors: 'Test Owner',
    name: version.name,
    description: version.description,
    createdAt: version.createdAt,
    updatedAt: version.updatedAt,
  }
}

function sharing(state: DoubleState, workflow: DoubleWorkflow): JsonObject {
  return {
    role: 'workflow:owner',
    workflowId: workflow.id,
    projectId: state.projectId,
    project: {
      id: state.projectId,
      name: 'Test Owner <owner@example.test>',
      type: 'personal',
      icon: null,
      description: null,
      ...(state.major === 2
        ? { customTelemetryTags: [] }
        : {
            projectRelations: [],
          }),
      creatorId: state.ownerId,
      createdAt: state.startedAt,
      updatedAt: state.startedAt,
    },
    createdAt: workflow.createdAt,
    updatedAt: workflow.createdAt,
  }
}
