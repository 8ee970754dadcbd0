export { type PolicyColumns, inheritedPolicy, policyColumns, replacePolicy } from './change-policy';
export { playbackPolicyOf, policyOf } from './gate';
export { createPlaybackToken, enterPlaybackPassword, revokePlaybackToken } from './give-token';
export {
  createSigningKey,
  deleteSigningKey,
  getSigningKey,
  listSigningKeys,
  updateSigningKey,
} from './signing-keys';
