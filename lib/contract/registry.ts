import { signUp } from './account';
import { createApiKey, deleteApiKey, listApiKeys, revealApiKey } from './api-key';
import type { Endpoint } from './define-endpoint';
import { getPlayback } from './playback';
import { getHealth, getOpenApi, listIngests } from './service';
import {
  createStream,
  deleteStream,
  getStream,
  listStreams,
  setStreamRecord,
  setTestPattern,
  terminateStream,
  updateStream,
} from './stream-endpoints';
import { getMe } from './user';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replaceWebhook,
  revealWebhookSecret,
  updateWebhook,
} from './webhook-endpoints';
import { getWebhookLog, listWebhookLogs, resendWebhookLog } from './webhook-log-endpoints';

/** Every endpoint of /api. A test holds it against the files under app/api. */
export const registry: readonly Endpoint[] = [
  createStream,
  listStreams,
  getStream,
  updateStream,
  setStreamRecord,
  deleteStream,
  terminateStream,
  createWebhook,
  listWebhooks,
  getWebhook,
  replaceWebhook,
  updateWebhook,
  deleteWebhook,
  listWebhookLogs,
  getWebhookLog,
  resendWebhookLog,
  revealWebhookSecret,
  getMe,
  getPlayback,
  listIngests,
  getHealth,
  getOpenApi,
  signUp,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  revealApiKey,
  setTestPattern,
];
