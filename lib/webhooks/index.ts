export { createWebhook } from './create-webhook';
export { deleteWebhook } from './delete-webhook';
export { emitEvent } from './emit-event';
export { getWebhook } from './get-webhook';
export { listWebhooks } from './list-webhooks';
export { getLog, listLogs } from './read-logs';
export { resendLog } from './resend-log';
export { revealSecret } from './reveal-secret';
export { replaceWebhook, updateWebhook } from './update-webhook';
