'use client';

import { useTheme } from 'next-themes';
import { useTranslations } from 'use-intl';
import { MenuRadioGroup } from '@/components/ui/overlay/menu';

const themes = ['system', 'light', 'dark'] as const;

/** Choice of system, light or dark theme for a menu, which opens after the theme is known. */
export function ThemeRadioGroup() {
  const t = useTranslations('ui.theme');
  const { theme, setTheme } = useTheme();
  return (
    <MenuRadioGroup
      label={t('label')}
      value={theme ?? 'system'}
      options={themes.map((choice) => ({ value: choice, label: t(choice) }))}
      onChange={setTheme}
    />
  );
}
