import type { en } from './en';

/** Texts by area and name. The English ones are their source: their types name all keys and arguments. */
export type Catalogue = typeof en;

/** An area: one file in each language's folder. */
export type Area = keyof Catalogue;

type SameKeys<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : SameKeys<T[Key]> };

/** An area in another language: the same keys, none missing. */
export type Translated<Name extends Area> = SameKeys<Catalogue[Name]>;

/** A whole catalogue in any language. */
export type AnyCatalogue = SameKeys<Catalogue>;
