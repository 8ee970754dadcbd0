import type { en } from './en';

/** English texts by area and name. Their types define the keys and arguments of all languages. */
export type Catalogue = typeof en;

/** Name of an area. Each language has one file for it. */
export type Area = keyof Catalogue;

type SameKeys<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : SameKeys<T[Key]> };

/** Texts of an area in another language, with all keys of the English texts. */
export type Translated<Name extends Area> = SameKeys<Catalogue[Name]>;

/** Texts of all areas in any language. */
export type AnyCatalogue = SameKeys<Catalogue>;
