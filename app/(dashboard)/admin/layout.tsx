import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { getSessionUser } from '@/lib/http/sessions/session-user';

/** Pages for operators; 404 for other accounts. Each page redirects visitors without a session to the sign-in page. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const user = await getSessionUser();
  if (!user) return children;
  if (!user.operator) notFound();
  return children;
}
