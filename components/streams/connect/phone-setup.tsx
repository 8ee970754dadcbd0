'use client';

import { QrCode } from 'lucide-react';
import { Suspense, lazy } from 'react';
import { Button } from '@/components/ui/button';
import { useReveal } from '@/components/ui/copy/secret-field';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { isLoopback, larixLink } from './encoder-commands';

const QrImage = lazy(() => import('./qr-image'));

interface PhoneSetupProps {
  rtmpUrl: string;
  streamKey: string;
  /** Name of the stream. */
  name: string;
}

/** Server and key for a phone. The QR code contains the key, so it is shown on demand and for 30 s. */
export function PhoneSetup({ rtmpUrl, streamKey, name }: PhoneSetupProps) {
  const { revealed, toggle } = useReveal();
  const link = larixLink(rtmpUrl, streamKey, name);
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">
        Install Larix Broadcaster on your phone, then scan the code with its camera. The code contains your
        stream key.
      </p>
      {isLoopback(rtmpUrl) && (
        <Notice>
          The server address works on this computer only. Set <code className="font-mono">RTMP_URL</code> to
          an address that the phone can reach.
        </Notice>
      )}
      <div className="flex flex-wrap items-end gap-4">
        <div className="grid size-48 place-items-center overflow-hidden rounded-md border border-dashed">
          {revealed ? (
            <Suspense fallback={<Skeleton className="size-full" />}>
              <QrImage text={link} label="QR code for Larix Broadcaster" />
            </Suspense>
          ) : (
            <QrCode aria-hidden="true" className="text-ink-3 size-10" strokeWidth={1} />
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" aria-pressed={revealed} onClick={toggle}>
            {revealed ? 'Hide QR code' : 'Show QR code'}
          </Button>
          <Button asChild size="sm" className="hidden pointer-coarse:inline-flex">
            <a href={link}>Open in Larix</a>
          </Button>
        </div>
      </div>
    </div>
  );
}
