export { createTarget } from './create-target';
export { deleteTarget } from './delete-target';
export { getTarget, listTargets } from './list-targets';
export { openTargets, type OpenTarget } from './open-targets';
export { resolveReferences } from './resolve-references';
export {
  reportHeldTargetEvents,
  refreshTargetStatus,
  stopTargetStatuses,
  writeTargetStatus,
  type StatusKey,
  type TargetStatusReport,
  type TargetStatusEvent,
} from './target-status';
export { testTarget, testTargetUrl } from './test-target';
export { updateTarget } from './update-target';
