'use client';

import { useTranslations } from 'use-intl';
import { Field, Select } from '@/components/ui/form/field';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Panel } from '@/components/ui/panel';
import type { MediaDevice, MicrophoneChoice } from '@/lib/client/whip/media-devices';
import type { Publisher, PublisherSnapshot } from '@/lib/client/whip/publisher';

interface SourcesPanelProps {
  publisher: Publisher;
  snapshot: PublisherSnapshot;
}

/** Selection of camera and microphone, and settings of the microphone. */
export function SourcesPanel({ publisher, snapshot }: SourcesPanelProps) {
  const t = useTranslations('goLive.sources');
  const { source, cameras, cameraId, hasScreenAudio } = snapshot;
  return (
    <Panel title={t('title')}>
      <div className="grid gap-4">
        <Field label={t('camera')}>
          {(field) => (
            <Select
              {...field}
              value={source === 'camera' ? (cameraId ?? '') : ''}
              disabled={cameras.length === 0}
              onChange={({ target }) => void publisher.openCamera({ id: target.value })}
            >
              {source !== 'camera' && <option value="">{t('notChosen')}</option>}
              <DeviceOptions devices={cameras} fallbackName={(number) => t('cameraNumber', { number })} />
            </Select>
          )}
        </Field>
        {source === 'screen' && (
          <p className="text-ink-2 text-sm">{t(hasScreenAudio ? 'screenSound' : 'noScreenSound')}</p>
        )}
        <MicrophoneFields publisher={publisher} snapshot={snapshot} />
      </div>
    </Panel>
  );
}

function MicrophoneFields({ publisher, snapshot }: SourcesPanelProps) {
  const t = useTranslations('goLive.sources');
  const { microphones, microphone, hasMicrophone } = snapshot;
  const openMicrophone = (change: Partial<MicrophoneChoice>) =>
    void publisher.openMicrophone({ ...microphone, ...change });
  return (
    <>
      <Field label={t('microphone')}>
        {(field) => (
          <Select
            {...field}
            value={hasMicrophone ? (microphone.id ?? '') : ''}
            onChange={({ target }) => {
              if (target.value === '') publisher.closeMicrophone();
              else openMicrophone({ id: target.value });
            }}
          >
            <option value="">{t('noMicrophone')}</option>
            <DeviceOptions
              devices={microphones}
              fallbackName={(number) => t('microphoneNumber', { number })}
            />
          </Select>
        )}
      </Field>
      <SwitchRow
        label={t('echoCancellation')}
        description={t('echoText')}
        checked={microphone.echoCancellation}
        disabled={!hasMicrophone}
        onChange={(echoCancellation) => openMicrophone({ echoCancellation })}
      />
      <SwitchRow
        label={t('noiseSuppression')}
        description={t('noiseText')}
        checked={microphone.noiseSuppression}
        disabled={!hasMicrophone}
        onChange={(noiseSuppression) => openMicrophone({ noiseSuppression })}
      />
    </>
  );
}

/** Options for devices. The label of a device is empty until the user grants the permission. */
function DeviceOptions({
  devices,
  fallbackName,
}: {
  devices: readonly MediaDevice[];
  /** Name of a device without a label, by its number from 1. */
  fallbackName: (number: number) => string;
}) {
  return devices.map(({ id, label }, index) => (
    <option key={id} value={id}>
      {label || fallbackName(index + 1)}
    </option>
  ));
}
