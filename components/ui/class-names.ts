import { clsx, type ClassValue } from 'clsx';
import { twMerge } from 'tailwind-merge';

/**
 * Joins class names; of two that set the same property the later one stays. Pages of viewers use `clsx` alone, without the
 * 9 KB of code that this costs them.
 */
export function cn(...classes: ClassValue[]): string {
  return twMerge(clsx(classes));
}
