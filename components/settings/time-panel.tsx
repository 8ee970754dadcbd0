'use client';

import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Combobox } from '@/components/ui/form/combobox';
import { Field, Select } from '@/components/ui/form/field';
import { Panel } from '@/components/ui/panel';
import { auto, hourCycles, hoursIn } from '@/components/ui/time/time-choice';
import { storeTimeChoice } from '@/components/ui/time/store-time-settings';
import { useTimeFormat, useTimeSettings } from '@/components/ui/time/time-settings';
import { useFormattedNow } from '@/components/ui/relative-time';
import { zoneOptions } from './time-zones';

/** Time zone and clock format of this browser; each change takes effect immediately. */
export function TimePanel() {
  const t = useTranslations('settings.timePanel');
  const settings = useTimeSettings();
  const { choice, browser } = settings;
  const language = useLocale();
  const format = useTimeFormat();
  const nowText = useFormattedNow(format.dateAndTime);
  return (
    <Panel title={t('time')} description={t('description')}>
      <div className="grid max-w-sm gap-5">
        <ZoneChoice
          zone={choice.zone}
          browserZone={browser.zone}
          onChoose={(zone) => storeTimeChoice(settings, { zone })}
        />
        <Field label={t('hours')}>
          {(field) => (
            <Select
              {...field}
              value={choice.hours}
              onChange={({ target: { value } }) =>
                storeTimeChoice(settings, { hours: hourCycles.find((cycle) => cycle === value) ?? auto })
              }
            >
              <option value={auto}>
                {t('automatic', { value: t(`hourCycle.${hoursIn(language, browser)}`) })}
              </option>
              {hourCycles.map((hours) => (
                <option key={hours} value={hours}>
                  {t(`hourCycle.${hours}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <p className="text-ink-2">
          {t.rich('now', {
            time: () => (
              <span className="text-ink tabular-nums" suppressHydrationWarning>
                {nowText}
              </span>
            ),
          })}
        </p>
      </div>
    </Panel>
  );
}

interface ZoneChoiceProps {
  zone: string;
  browserZone: string;
  onChoose: (zone: string) => void;
}

function ZoneChoice({ zone, browserZone, onChoose }: ZoneChoiceProps) {
  const t = useTranslations('settings.timePanel');
  const [searchText, setSearchText] = useState('');
  const automaticLabel = t('automatic', { value: browserZone });
  return (
    <div className="grid justify-items-start gap-1.5">
      <span aria-hidden="true" className="text-sm font-medium">
        {t('timeZone')}
      </span>
      <Combobox
        label={t('timeZone')}
        value={zone}
        displayValue={zone === auto ? automaticLabel : zone.replaceAll('_', ' ')}
        options={zoneOptions(searchText, automaticLabel)}
        text={searchText}
        onText={setSearchText}
        searching={false}
        onChange={onChoose}
        wide
      />
    </div>
  );
}
