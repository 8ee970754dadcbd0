'use client';

import { Suspense, lazy, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Settings } from '../icons';
import { ControlButton } from './control-button';
import type { SettingsPanelProps } from './settings-panel';

const loadPanel = () => import('./settings-panel');
const SettingsPanel = lazy(loadPanel);

/** Opens the settings. Their code is loaded when the pointer enters the button or the button is used. */
export function SettingsButton(props: Omit<SettingsPanelProps, 'anchor'> & { open: boolean }) {
  const t = useTranslations('player.bar');
  const { open, onOpenChange } = props;
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <span className="contents" onPointerEnter={() => void loadPanel().catch(() => undefined)}>
      <ControlButton ref={anchor} label={t('settings')} expanded={open} onClick={() => onOpenChange(!open)}>
        <Settings />
      </ControlButton>
      {open && (
        <Suspense fallback={null}>
          <SettingsPanel {...props} anchor={anchor} />
        </Suspense>
      )}
    </span>
  );
}
