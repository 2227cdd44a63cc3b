import { BlockList, isIPv6 } from 'node:net'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { isAllowedHost, isGlobalAddress, isSameAddress, originOf, validateTarget } from './http-target.ts'

const urlOf = (address: string) => `http://${isIPv6(address) ? `[${address}]` : address}/hook`

describe('literal addresses', () => {
  test.each([
    ...['0.1.2.3', '100.64.0.1', '169.254.169.254', '192.0.0.1', '192.0.2.10', '192.88.99.1', '198.18.0.1'],
    ...['240.0.0.1', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b:1::', '2002:7f00:1::'],
    ...['2001::1', '2001:db8::1', '2001:20::1'],
    ...['10.0.0.1', '172.31.255.255', '192.168.1.1', '224.0.0.1', '255.255.255.255', '198.51.100.1'],
    ...[
      '203.0.113.9',
      '127.0.0.1',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fdff::1',
      'fec0::1',
      'ff02::1',
      '100::1',
    ],
    ...['2001:2::1', '2001:10::1', '2001:1f::1', '3fff::1', '3fff:fff::1', '5f00::1', '::ffff:0:127.0.0.1'],
  ])('%s is private or local', (address) => {
    expect(isGlobalAddress(address)).toBe(false)
    expect(validateTarget(urlOf(address))).toContain('private or local addresses')
  })

  test.each([
    ...[
      '8.8.8.8',
      '172.32.0.1',
      '172.15.255.255',
      '100.128.0.1',
      '100.63.255.255',
      '198.20.0.1',
      '192.0.1.1',
    ],
    ...['223.255.255.255', '::ffff:8.8.8.8', '2606:4700::1111', '2001:4860:4860::8888', '2a00:1450::1'],
  ])('%s is public', (address) => {
    expect(isGlobalAddress(address)).toBe(true)
    expect(validateTarget(urlOf(address))).toBeNull()
  })

  test('every IPv4 address is judged as the system block list with the same ranges judges it', () => {
    const list = new BlockList()
    for (const range of [
      ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '0.0.0.0/8'],
      ...[
        '224.0.0.0/4',
        '192.0.2.0/24',
        '198.51.100.0/24',
        '203.0.113.0/24',
        '192.0.0.0/24',
        '192.88.99.0/24',
      ],
      ...['100.64.0.0/10', '198.18.0.0/15', '240.0.0.0/4'],
    ]) {
      const [network, bits] = range.split('/') as [string, string]
      list.addSubnet(network, Number(bits), 'ipv4')
    }
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isGlobalAddress(address)).toBe(!list.check(address))
        expect(isGlobalAddress(`::ffff:${address}`)).toBe(!list.check(address))
      }),
      { numRuns: 2_000 },
    )
  })

  test('no IPv6 address that a second library calls special is public', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const range = ipaddr.IPv6.parse(address).range()
        if (range !== 'unicast' && range !== 'ipv4Mapped') expect(isGlobalAddress(address)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  test('text that is no IP address, or has a zone, is not public', () => {
    for (const text of ['', 'example.com', '8.8.8', '8.8.8.8%eth0', 'fe80::1%eth0', '2606:4700::1111%1'])
      expect(isGlobalAddress(text)).toBe(false)
  })

  test('spellings of one address are the same address', () => {
    expect(isSameAddress('127.0.0.1', '::ffff:127.0.0.1')).toBe(true)
    expect(isSameAddress('::ffff:7f00:1', '127.0.0.1')).toBe(true)
    expect(isSameAddress('2606:4700:0:0::1111', '2606:4700::1111')).toBe(true)
    expect(isSameAddress('127.0.0.1', '127.0.0.2')).toBe(false)
    expect(isSameAddress('nothing', 'nothing')).toBe(false)
  })
})

describe('URLs', () => {
  test.each([
    'http://localhost:9/hook',
    'http://localhost./',
    'http://localhost../',
    'http://a.LOCALHOST/',
    'http://ⓛocalhost/',
  ])('%s is localhost', (url) => expect(validateTarget(url)).toContain('localhost'))

  test.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
    'http://127.0.0.1../',
  ])('%s is a local address', (url) => expect(validateTarget(url)).toContain('private or local addresses'))

  test.each([
    'https://user:secret@example.com/',
    'https://:secret@example.com/',
    'ftp://example.com/secret',
    'file:///secret',
    'javascript:secret',
    'http://[fe80::1%25eth0]/secret',
    'http:///',
    'not a url with secret-token',
    '',
  ])('%s is refused without being repeated', (url) => {
    const message = validateTarget(url)
    expect(message).toMatch(/URL of an HTTP hook/)
    expect(message).not.toContain('secret')
  })

  test('an ordinary public URL is accepted', () => {
    expect(validateTarget('https://hooks.example.com:8443/path?token=x')).toBeNull()
  })

  test('only scheme, host and port of a URL are ever shown', () => {
    expect(originOf('https://user:secret@example.com:8443/path?token=x#f')).toBe('https://example.com:8443')
    expect(originOf('not a url with secret-token')).not.toContain('secret')
  })
})

describe('allowed hosts', () => {
  test.each([
    ['http://127.0.0.1:8080/', '127.0.0.1:8080', true],
    ['http://127.0.0.1:8081/', '127.0.0.1:8080', false],
    ['http://127.0.0.1:8081/', '127.0.0.1', true],
    ['http://127.0.0.2:8081/', '127.0.0.1', false],
    ['http://127.0.0.1/', '127.0.0.1:80', true],
    ['http://127.0.0.1:8080/', '127.0.0.1:80', false],
    ['https://localhost/', 'LOCALHOST:443', true],
    ['http://localhost/', 'localhost:443', false],
    ['http://a.localhost/', 'localhost', false],
    ['http://[::1]:8080/', '[::1]:8080', true],
    ['http://[::1]:8080/', '::1', true],
    ['http://[::1]:8080/', '[::1]:8081', false],
    ['http://10.0.0.1/', '*', false],
    ['http://10.0.0.1/', '', false],
  ])('%s with %s opened: %s', (url, entry, allowed) => {
    expect(isAllowedHost(new URL(url), [entry])).toBe(allowed)
    expect(validateTarget(url, [entry]) === null).toBe(allowed)
  })

  test('opening a host does not open other schemes or user names', () => {
    expect(validateTarget('ftp://127.0.0.1/', ['127.0.0.1'])).not.toBeNull()
    expect(validateTarget('http://a:b@127.0.0.1/', ['127.0.0.1'])).not.toBeNull()
  })
})
