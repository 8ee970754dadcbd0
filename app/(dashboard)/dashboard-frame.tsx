'use client';

import { getSession, signOut } from 'next-auth/react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { DataProvider } from '@/app/data-provider';
import { ConnectionBanner, SessionEnded } from '@/components/shell/connection-notices';
import { Shell } from '@/components/shell/shell';
import { OperatorProvider } from '@/components/shell/use-navigation';
import { Toaster } from '@/components/ui/overlay/toaster';
import { Shortcuts, type Overlay } from './shortcuts';
import { AcceptedMediaProvider } from '@/components/upload/accepted-media';
import { UploadsProvider } from '@/components/upload/uploads-provider';
import { RememberTime } from '@/components/ui/time/keep-time';
import { useWatchConnection } from '@/lib/client/use-connection';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';

const RENEWAL_MS = 3_600_000;

interface DashboardFrameProps {
  email: string;
  operator: boolean;
  /** Files that may be uploaded. */
  acceptMedia: AcceptedMedia;
  children: ReactNode;
}

export function DashboardFrame({ email, operator, acceptMedia, children }: DashboardFrameProps) {
  const [ended, setEnded] = useState(false);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const logOut = () => void signOut({ callbackUrl: '/login' });
  const onSessionEnd = useCallback(() => setEnded(true), []);
  useStaySignedIn();
  useWatchConnection();
  return (
    <DataProvider onSessionEnd={onSessionEnd}>
      <RememberTime />
      <OperatorProvider value={operator}>
        <AcceptedMediaProvider value={acceptMedia}>
          <UploadsProvider account={email}>
            <Shell email={email} onLogOut={logOut} onSearch={() => setOverlay('palette')}>
              {children}
            </Shell>
          </UploadsProvider>
        </AcceptedMediaProvider>
        <SessionEnded open={ended} onOpenChange={setEnded} />
        <Shortcuts overlay={overlay} onOverlay={setOverlay} onLogOut={logOut} />
      </OperatorProvider>
      <ConnectionBanner />
      <Toaster />
    </DataProvider>
  );
}

/** Asking for the session renews its cookie: it ends a day after the last page was closed (lib/http/sessions/session-cookie.ts). */
function useStaySignedIn(): void {
  useEffect(() => {
    const renew = () => void getSession({ broadcast: false }).catch(() => undefined);
    const timer = setInterval(renew, RENEWAL_MS);
    renew();
    return () => clearInterval(timer);
  }, []);
}
