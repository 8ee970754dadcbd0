import { clsx, type ClassValue } from 'clsx';
import { twMerge } from 'tailwind-merge';

/**
 * Joins class names; the last class for a CSS property wins. Viewer pages use `clsx` instead, which is 9 KB smaller.
 */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes));
}
