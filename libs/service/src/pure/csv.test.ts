import { describe, expect, it } from '@jest/globals';
import { countIn, countStyle, csvRecords, otherSeparator } from './csv.js';

describe('the records of a CSV', () => {
  it.each([
    ['lines of any system', 'a,b\r\nc,d\re,f\ng', [['a', 'b'], ['c', 'd'], ['e', 'f'], ['g']]],
    ['quotes, and line breaks within them', '"a ""b""","c\r\nd"\n', [['a "b"', 'c\r\nd']]],
    ['quotes in a bare field', 'a "b",c', [['a "b"', 'c']]],
    ['a byte order mark and empty lines', '\uFEFFa\n\n , \nb', [['a'], ['b']]],
    ['a quote that is never closed', 'a,"b\nc', null],
    ['a quote that another record closes', 'a,"b\nc,"d"\n', null],
    ['a space after quotes', '"a" ,b', [['a ', 'b']]],
  ])('have %s', (_name, text, records) => {
    expect(csvRecords(text)).toEqual(records);
  });

  it.each([
    [['id;name;posts'], 'semicolons'],
    [['id\tname'], 'tabs'],
    [['id', 'name'], null],
  ])('of %j are separated by %s', (header, name) => {
    const why = name === null ? null : expect.stringContaining(`separated by ${name}.`);
    expect(otherSeparator(header)).toEqual(why);
  });
});

describe('a count in a CSV', () => {
  const wrong = { wrong: expect.any(String) };
  it.each([
    ['1.000', ['1.200'], 1_000],
    ['1.000', ['4922.0'], wrong],
    ['1.000', [], wrong],
    ['1.000', ['1,200'], wrong],
    ['1,000', [], 1_000],
    ['1,000', ['4922'], wrong],
    ['1 000', [], 1_000],
    ['12.0', [], 12],
    ['-', [], null],
    ['1.5', [], wrong],
    ['-3', [], wrong],
  ])('%s beside %j', (cell, others, count) => {
    expect(countIn(cell, countStyle([cell, ...others]))).toEqual(count);
  });
});
