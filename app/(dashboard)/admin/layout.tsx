import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { AdminNav } from '@/components/admin/admin-nav';
import { getSessionUser } from '@/lib/http/sessions/session-user';

/** For operators; others learn of no such pages. A visitor is sent to the log-in by the page. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const user = await getSessionUser();
  if (!user) return children;
  if (!user.operator) notFound();
  return (
    <>
      <AdminNav />
      {children}
    </>
  );
}
