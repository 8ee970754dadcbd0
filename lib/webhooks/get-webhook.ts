import type { AccountContext } from '@/lib/context';
import type { Webhook } from '@/lib/contract/webhook';
import { webhookOf } from './internal';
import { serializeWebhook } from './serialize';

/** @throws AppError `not_found` */
export async function getWebhook(ctx: AccountContext, id: string): Promise<Webhook> {
  return serializeWebhook(await webhookOf(ctx, id));
}
