'use client';

import {
  Camera,
  type LucideIcon,
  Mic,
  MicOff,
  MonitorUp,
  RadioTower,
  Square,
  SwitchCamera,
  Video,
  VideoOff,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { canShareScreen } from '@/lib/client/whip/media-devices';
import type { Publisher, PublisherSnapshot } from '@/lib/client/whip/publisher';
import { isOnAir } from '@/lib/core/streams/go-live/publisher-state';

interface GoLiveControlsProps {
  publisher: Publisher;
  snapshot: PublisherSnapshot;
  /** Translated reason why going live is not possible now; null if it is possible. */
  obstacle: string | null;
  onGoLive: () => void;
}

/** Buttons below the preview: camera, microphone and screen, and going live or ending. */
export function GoLiveControls({ publisher, snapshot, obstacle, onGoLive }: GoLiveControlsProps) {
  const t = useTranslations('goLive.controls');
  const tPage = useTranslations('goLive.page');
  const { state } = snapshot;
  const [isDialogOpen, setDialogOpen] = useState(false);
  const hasSource = state === 'previewing' || state === 'connecting' || isOnAir(state);
  if (!hasSource) return null;
  return (
    <div>
      <div role="group" aria-label={t('label')} className="flex flex-wrap items-center justify-between gap-2">
        <SourceButtons publisher={publisher} snapshot={snapshot} />
        {state === 'previewing' && (
          <Button
            variant="primary"
            size="lg"
            className="max-sm:h-11"
            disabled={obstacle !== null}
            onClick={onGoLive}
          >
            <RadioTower aria-hidden="true" />
            {tPage('goLive')}
          </Button>
        )}
        {state === 'connecting' && (
          <Button size="lg" className="max-sm:h-11" onClick={() => publisher.stop()}>
            {tPage('cancel')}
          </Button>
        )}
        {isOnAir(state) && (
          <Button variant="danger" size="lg" className="max-sm:h-11" onClick={() => setDialogOpen(true)}>
            <Square aria-hidden="true" />
            {tPage('endStream')}
          </Button>
        )}
      </div>
      {state === 'previewing' && obstacle !== null && (
        <p className="text-warn-ink mt-2 text-sm">{obstacle}</p>
      )}
      {isOnAir(state) && isDialogOpen && (
        <ConfirmEnd onEnd={() => publisher.stop()} onKeep={() => setDialogOpen(false)} />
      )}
    </div>
  );
}

function SourceButtons({ publisher, snapshot }: Pick<GoLiveControlsProps, 'publisher' | 'snapshot'>) {
  const t = useTranslations('goLive.controls');
  const { source, isVideoOff, isAudioOff, cameras, cameraId } = snapshot;
  const nextCamera = cameras[(cameras.findIndex(({ id }) => id === cameraId) + 1) % cameras.length];
  return (
    <div className="flex flex-wrap gap-2">
      <SourceButton
        icon={isVideoOff ? VideoOff : Video}
        label={t(isVideoOff ? 'videoOn' : 'videoOff')}
        isOff={isVideoOff}
        onClick={() => publisher.setVideoOff(!isVideoOff)}
      />
      <SourceButton
        icon={isAudioOff ? MicOff : Mic}
        label={t(isAudioOff ? 'audioOn' : 'audioOff')}
        isOff={isAudioOff}
        onClick={() => publisher.setAudioOff(!isAudioOff)}
      />
      {source === 'camera' && cameras.length > 1 && nextCamera && (
        <SourceButton
          icon={SwitchCamera}
          label={t('switchCamera')}
          onClick={() => void publisher.openCamera({ id: nextCamera.id })}
        />
      )}
      {source !== 'camera' && (
        <SourceButton icon={Camera} label={t('useCamera')} wide onClick={() => void publisher.openCamera()} />
      )}
      {canShareScreen() && (
        <SourceButton
          icon={MonitorUp}
          label={t(source === 'screen' ? 'shareAnother' : 'shareScreen')}
          wide
          onClick={() => void publisher.startScreenShare()}
        />
      )}
    </div>
  );
}

interface SourceButtonProps {
  icon: LucideIcon;
  label: string;
  /** State of a button that turns a source off and on; absent for other buttons. */
  isOff?: boolean;
  /** Whether the label is shown on wide screens. */
  wide?: boolean;
  onClick: () => void;
}

function SourceButton({ icon: Icon, label, isOff, wide = false, onClick }: SourceButtonProps) {
  return (
    <Button
      aria-label={label}
      title={label}
      {...(isOff === undefined ? {} : { 'data-off': isOff ? '' : undefined })}
      onClick={onClick}
      className="data-off:border-warn-line data-off:bg-warn-soft data-off:text-warn-ink size-10 px-0 max-sm:size-11 data-wide:sm:w-auto data-wide:sm:px-4"
      {...(wide ? { 'data-wide': '' } : {})}
    >
      <Icon aria-hidden="true" />
      {wide && (
        <span aria-hidden="true" className="max-sm:hidden">
          {label}
        </span>
      )}
    </Button>
  );
}

/** Asks before the stream is ended for its viewers. */
function ConfirmEnd({ onEnd, onKeep }: { onEnd: () => void; onKeep: () => void }) {
  const t = useTranslations('goLive.controls');
  return (
    <div
      role="group"
      aria-label={t('confirmEnd')}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onKeep();
      }}
      className="bg-live-soft mt-3 flex flex-wrap items-center justify-between gap-3 rounded-lg border p-3"
    >
      <p className="min-w-0 flex-1 basis-48">{t('confirmEnd')}</p>
      <div className="flex gap-2">
        {/* The focus moves to the button that confirms. */}
        <Button variant="danger" autoFocus onClick={onEnd} className="max-sm:h-11">
          {t('endNow')}
        </Button>
        <Button onClick={onKeep} className="max-sm:h-11">
          {t('keepStreaming')}
        </Button>
      </div>
    </div>
  );
}
