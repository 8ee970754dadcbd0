import type { Metadata } from 'next';
import { requireUser } from '../../require-user';
import { WebhooksView } from './webhooks-view';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage() {
  await requireUser('/developers/webhooks');
  return <WebhooksView />;
}
