import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { ThemeProvider } from '@/components/ui/theme-provider';
import { getSessionUser } from '@/lib/http/session-user';
import { DashboardFrame } from './dashboard-frame';

/** Every page below depends on who asks: nothing of it can be made at build time. */
export const dynamic = 'force-dynamic';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const user = await getSessionUser();
  const nonce = (await headers()).get('x-nonce') ?? '';
  return (
    <ThemeProvider nonce={nonce}>
      {/* Only a page knows its own address: it sends visitors to the log-in and back (require-user.ts). */}
      {user ? <DashboardFrame email={user.email}>{children}</DashboardFrame> : children}
    </ThemeProvider>
  );
}
