import type * as eventEndpointsContract from '@/lib/contract/webhooks/event-endpoints';
import type * as webhookDashboardEndpointsContract from '@/lib/contract/webhooks/webhook-dashboard-endpoints';
import type * as webhookEndpointsContract from '@/lib/contract/webhooks/webhook-endpoints';
import type * as webhookLogEndpointsContract from '@/lib/contract/webhooks/webhook-log-endpoints';
import type { Route } from './route';

export const createWebhook: Route<typeof webhookEndpointsContract.createWebhook> = {
  method: 'POST',
  path: '/api/webhook',
  sendsBody: true,
};
export const deleteWebhook: Route<typeof webhookEndpointsContract.deleteWebhook> = {
  method: 'DELETE',
  path: '/api/webhook/{id}',
};
export const getWebhook: Route<typeof webhookEndpointsContract.getWebhook> = {
  method: 'GET',
  path: '/api/webhook/{id}',
};
export const listStreamEvents: Route<typeof eventEndpointsContract.listStreamEvents> = {
  method: 'GET',
  path: '/api/stream/{id}/events',
};
export const listWebhookDeliveries: Route<typeof webhookDashboardEndpointsContract.listWebhookDeliveries> = {
  method: 'GET',
  path: '/api/dashboard/webhooks/{id}/deliveries',
};
export const listWebhookLogs: Route<typeof webhookLogEndpointsContract.listWebhookLogs> = {
  method: 'GET',
  path: '/api/webhook/{id}/log',
};
export const listWebhooks: Route<typeof webhookEndpointsContract.listWebhooks> = {
  method: 'GET',
  path: '/api/webhook',
};
export const replayEvents: Route<typeof webhookDashboardEndpointsContract.replayEvents> = {
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/replay',
  sendsBody: true,
};
export const resendFailedDeliveries: Route<typeof webhookDashboardEndpointsContract.resendFailedDeliveries> =
  { method: 'POST', path: '/api/dashboard/webhooks/{id}/resend-failed' };
export const resendWebhookLog: Route<typeof webhookLogEndpointsContract.resendWebhookLog> = {
  method: 'POST',
  path: '/api/webhook/{id}/log/{logId}/resend',
};
export const revealWebhookSecret: Route<typeof webhookEndpointsContract.revealWebhookSecret> = {
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/reveal',
  sendsBody: true,
};
export const rollWebhookSecret: Route<typeof webhookDashboardEndpointsContract.rollWebhookSecret> = {
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/roll-secret',
  sendsBody: true,
};
export const sendTestEvent: Route<typeof webhookDashboardEndpointsContract.sendTestEvent> = {
  method: 'POST',
  path: '/api/dashboard/webhooks/{id}/test',
  sendsBody: true,
};
export const updateWebhook: Route<typeof webhookEndpointsContract.updateWebhook> = {
  method: 'PATCH',
  path: '/api/webhook/{id}',
  sendsBody: true,
};
