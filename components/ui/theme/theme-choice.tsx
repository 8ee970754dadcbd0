'use client';

import { useTheme } from 'next-themes';
import { MenuChoice } from '@/components/ui/overlay/menu';

const options = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** System, light or dark, for use inside a menu (which opens after the theme is known: no flash). */
export function ThemeChoice() {
  const { theme, setTheme } = useTheme();
  return <MenuChoice label="Theme" value={theme ?? 'system'} options={options} onChange={setTheme} />;
}
