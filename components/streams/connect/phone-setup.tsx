'use client';

import { QrCode } from 'lucide-react';
import { Suspense, lazy } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useReveal } from '@/components/ui/copy/secret-field';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { isLoopbackUrl } from '@/lib/core/streams/encoder-commands';

const QrImage = lazy(() => import('@/components/ui/qr-image'));

interface PhoneSetupProps {
  /** URL that the phone publishes to, without the stream key. */
  url: string;
  /** Link that configures Larix Broadcaster. */
  link: string;
}

/** Server and key for a phone. The QR code contains the key, so it is shown on demand and for 30 s. */
export function PhoneSetup({ url, link }: PhoneSetupProps) {
  const t = useTranslations('streams.phoneSetup');
  const { revealed, toggle } = useReveal();
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{t('installLarix')}</p>
      {isLoopbackUrl(url) && (
        <Notice>
          {t.rich('thisComputerOnly', { code: (name) => <code className="font-mono">{name}</code> })}
        </Notice>
      )}
      <div className="flex flex-wrap items-end gap-4">
        <div className="grid size-48 place-items-center overflow-hidden rounded-md border border-dashed">
          {revealed ? (
            <Suspense fallback={<Skeleton className="size-full" />}>
              <QrImage text={link} label={t('qrCode')} />
            </Suspense>
          ) : (
            <QrCode aria-hidden="true" className="text-ink-3 size-10" strokeWidth={1} />
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" aria-pressed={revealed} onClick={toggle}>
            {revealed ? t('hideQrCode') : t('showQrCode')}
          </Button>
          <Button asChild size="sm" className="hidden pointer-coarse:inline-flex">
            <a href={link}>{t('openInLarix')}</a>
          </Button>
        </div>
      </div>
    </div>
  );
}
