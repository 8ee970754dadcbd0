export { authenticateApiKey } from './authenticate-api-key';
export { createApiKey, deleteApiKey } from './create-api-key';
export { listApiKeys } from './list-api-keys';
export { revealApiKey } from './reveal-api-key';
export { UsageRecorder } from './usage-recorder';
