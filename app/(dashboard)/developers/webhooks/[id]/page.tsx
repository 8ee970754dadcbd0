import type { Metadata } from 'next';
import { getTranslations } from '@/app/words';
import { oneWebhookKey } from '@/lib/client/query-keys';
import { getWebhook } from '@/lib/domain/webhooks';
import { KnownData } from '../../../_data/known-data';
import { readOne } from '../../../_data/read-one';
import { requireUser } from '../../../require-user';
import { WebhookView } from './webhook-view';

interface WebhookPageProps {
  params: Promise<{ id: string }>;
}

const readWebhook = readOne(getWebhook);

export async function generateMetadata({ params }: WebhookPageProps): Promise<Metadata> {
  const webhook = await readWebhook((await params).id);
  const t = await getTranslations('webhooks.meta');
  return { title: webhook?.name ?? t('webhook') };
}

export default async function WebhookPage({ params }: WebhookPageProps) {
  const { id } = await params;
  const { email } = await requireUser(`/developers/webhooks/${id}`);
  return (
    <KnownData entries={[[oneWebhookKey(id), await readWebhook(id)]]}>
      <WebhookView id={id} email={email} />
    </KnownData>
  );
}
