'use client';

import { ThemeProvider as NextThemes } from 'next-themes';
import type { ReactNode } from 'react';

/** Enables the choice of system, light or dark theme. Pages without it show the stored theme (follow-theme.ts). */
export function ThemeProvider({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <NextThemes nonce={nonce} attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange>
      {children}
    </NextThemes>
  );
}
