import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { oneWebhookKey } from '@/lib/client/query-keys';
import { getWebhook } from '@/lib/domain/webhooks';
import { PrefetchedQueries } from '@/app/(dashboard)/_data/prefetched-queries';
import { createObjectReader } from '../../../_data/create-object-reader';
import { requireUser } from '../../../require-user';
import { WebhookView } from './webhook-view';

interface WebhookPageProps {
  params: Promise<{ id: string }>;
}

const readWebhook = createObjectReader(getWebhook);

export async function generateMetadata({ params }: WebhookPageProps): Promise<Metadata> {
  const webhook = await readWebhook((await params).id);
  const t = await getTranslations('webhooks.meta');
  return { title: webhook?.name ?? t('webhook') };
}

export default async function WebhookPage({ params }: WebhookPageProps) {
  const { id } = await params;
  const { email } = await requireUser(`/developers/webhooks/${id}`);
  return (
    <PrefetchedQueries entries={[[oneWebhookKey(id), await readWebhook(id)]]}>
      <WebhookView id={id} email={email} />
    </PrefetchedQueries>
  );
}
