'use client';

import { signOut } from 'next-auth/react';
import { useCallback, useState, type ReactNode } from 'react';
import { DataProvider } from '@/app/data-provider';
import { SessionEnded } from '@/components/shell/session-ended';
import { Shell } from '@/components/shell/shell';
import { Toaster } from '@/components/ui/toaster';

export function DashboardFrame({ email, children }: { email: string; children: ReactNode }) {
  const [ended, setEnded] = useState(false);
  const onSessionEnd = useCallback(() => setEnded(true), []);
  return (
    <DataProvider onSessionEnd={onSessionEnd}>
      <Shell email={email} onLogOut={() => void signOut({ callbackUrl: '/login' })}>
        {children}
      </Shell>
      <SessionEnded open={ended} onOpenChange={setEnded} />
      <Toaster />
    </DataProvider>
  );
}
