import type { Metadata } from 'next';
import { getSessionUser } from '@/lib/http/sessions/session-user';
import { ReferenceView } from './reference-view';
import { VisitorFrame } from './visitor-frame';

export const metadata: Metadata = { title: 'API reference' };

/** Public; signed-in users see it inside the dashboard. */
export default async function DocsPage() {
  const user = await getSessionUser();
  if (user) return <ReferenceView signedIn />;
  return (
    <VisitorFrame>
      <ReferenceView signedIn={false} />
    </VisitorFrame>
  );
}
