'use client';

import { useLocale, useTranslations } from 'use-intl';
import { formatBitrate } from '@/components/ui/figures';
import { Field, Select } from '@/components/ui/form/field';
import { Panel } from '@/components/ui/panel';
import {
  bitrates,
  frameRates,
  heights,
  layerHeightsOf,
  layerCounts,
  priorities,
  type Quality,
} from '@/lib/core/streams/go-live/quality';

interface QualityPanelProps {
  quality: Quality;
  /** Whether the browser is connected: then the number of sizes, which was negotiated, is fixed. */
  isConnected: boolean;
  onChange: (quality: Quality) => void;
}

/** Size, frame rate, bitrate and priority of the video, which can be changed while live, and the number of sizes. */
export function QualityPanel({ quality, isConnected, onChange }: QualityPanelProps) {
  const t = useTranslations('goLive.quality');
  const language = useLocale();
  return (
    <Panel title={t('title')}>
      <div className="grid gap-4 min-[24rem]:grid-cols-2">
        <Choice
          label={t('size')}
          options={heights}
          value={quality.height}
          format={formatHeight}
          onChange={(height) => onChange({ ...quality, height })}
        />
        <Choice
          label={t('frameRate')}
          options={frameRates}
          value={quality.frameRate}
          format={(rate) => t('frames', { rate })}
          onChange={(frameRate) => onChange({ ...quality, frameRate })}
        />
        <Choice
          label={t('bitrate')}
          options={bitrates}
          value={quality.maxBitrate}
          format={(bitrate) => formatBitrate(bitrate, language)}
          onChange={(maxBitrate) => onChange({ ...quality, maxBitrate })}
        />
        <Choice
          label={t('priority')}
          options={priorities}
          value={quality.priority}
          format={(priority) => t(priority)}
          onChange={(priority) => onChange({ ...quality, priority })}
        />
      </div>
      <p className="text-ink-3 mt-3 text-sm">{t('priorityText')}</p>
      <div className="mt-4">
        <Choice
          label={t('layers')}
          hint={t('layersText')}
          options={layerCounts}
          value={quality.layerCount}
          disabled={isConnected}
          format={(layerCount) => formatLayers({ ...quality, layerCount })}
          onChange={(layerCount) => onChange({ ...quality, layerCount })}
        />
      </div>
    </Panel>
  );
}

const formatHeight = (height: number) => `${height}p`;

const formatLayers = (quality: Quality) => layerHeightsOf(quality).map(formatHeight).join(' + ');

interface ChoiceProps<T> {
  label: string;
  hint?: string;
  options: readonly T[];
  value: T;
  disabled?: boolean;
  format: (option: T) => string;
  onChange: (option: T) => void;
}

function Choice<T extends string | number>(props: ChoiceProps<T>) {
  const { label, hint, options, value, disabled = false, format, onChange } = props;
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <Select
          {...field}
          value={value}
          disabled={disabled}
          onChange={({ target }) => {
            const option = options.find((candidate) => String(candidate) === target.value);
            if (option !== undefined) onChange(option);
          }}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {format(option)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
