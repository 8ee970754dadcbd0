'use client';

import { RadioTower } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/**
 * Why this page cannot publish. `off`: the server has no WebRTC. `insecure`: without HTTPS, browsers give no access to the
 * camera. `unsupported`: this browser has no WebRTC. `noKey`: the role of the member does not see the stream key.
 */
export type Obstacle = 'off' | 'insecure' | 'unsupported' | 'noKey';

/** First reason why this page cannot publish; null if it can publish. */
export function obstacleOf(whip: string | null, streamKey: string | undefined): Obstacle | null {
  if (!streamKey) return 'noKey';
  if (whip === null) return 'off';
  if (!window.isSecureContext) return 'insecure';
  return 'mediaDevices' in navigator && 'RTCPeerConnection' in window ? null : 'unsupported';
}

/** Explains what to change before a browser can publish to this stream. */
export function GoLiveUnavailable({ obstacle, streamId }: { obstacle: Obstacle; streamId: string }) {
  const t = useTranslations('goLive.unavailable');
  return (
    <EmptyState
      icon={RadioTower}
      title={t(obstacle)}
      action={
        <Button asChild>
          <Link href={`/streams/${streamId}`}>{t('toStream')}</Link>
        </Button>
      }
    >
      {t(`${obstacle}Text`)}
    </EmptyState>
  );
}
