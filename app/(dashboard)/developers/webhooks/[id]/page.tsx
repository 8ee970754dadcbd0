import type { Metadata } from 'next';
import { requireUser } from '../../../require-user';
import { WebhookView } from './webhook-view';

export const metadata: Metadata = { title: 'Webhook' };

export default async function WebhookPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { email } = await requireUser(`/developers/webhooks/${id}`);
  return <WebhookView id={id} email={email} />;
}
