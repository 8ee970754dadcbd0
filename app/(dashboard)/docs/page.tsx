import type { Metadata } from 'next';
import { GuideView } from '@/components/docs/guide-view';
import { readReference } from './read-reference';

export const metadata: Metadata = { title: 'API reference' };

export default async function DocsPage() {
  const reference = await readReference();
  return <GuideView reference={reference} requestsPerMinute={reference.requestsPerMinute} />;
}
