export { type PolicyColumns, inheritedPolicy, buildPolicyColumns, replacePolicy } from './change-policy';
export { PreviewTokens } from './preview-tokens';
export { PlaybackAdmission, type ViewerCredentials } from './admit-viewer';
export { checkViewer } from './check-viewer';
export { WebhookAdmission } from './ask-webhook';
export { type AccessRules, findAccessRules, publicPolicyField, policyOf } from './access-rules';
export {
  createPlaybackToken,
  enterPlaybackPassword,
  expireRevocations,
  revokePlaybackToken,
} from './issue-token';
export {
  createSigningKey,
  deleteSigningKey,
  getSigningKey,
  listSigningKeys,
  updateSigningKey,
} from './signing-keys';
