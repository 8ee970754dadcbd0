import type { Metadata } from 'next';
import { getTranslations } from '@/app/messages';
import { requireUser } from '../../require-user';
import { WebhooksView } from './webhooks-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('webhooks.meta');
  return { title: t('webhooks') };
}

export default async function WebhooksPage() {
  await requireUser('/developers/webhooks');
  return <WebhooksView />;
}
