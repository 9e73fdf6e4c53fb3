import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';
import { checkAddress, publicInternet } from './reach.js';

describe('an address', () => {
  it.each(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:81b::2004', '::ffff:8.8.8.8'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255', '100.100.100.200', '168.63.129.16'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:169.254.169.254', '::ffff:10.0.0.1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1'],
    ...['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:7f00:1::', '2001:db8::1', 'fec0::1', '100::1', '5f00::1', '4000::1', '1::1', '', 'localhost', '127.1.example'],
  ])('"%s" is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('what a model asks for', () => {
  it.each(['https://example.com/a.png', 'http://example.com:80/a.png', 'https://93.184.215.14/a.png', 'https://[2606:4700:4700::1111]/'])('%s is gone to', (url) => {
    expect(checkAddress(url, publicInternet).href).toContain('://');
  });

  it.each([
    ['an IPv4 address mapped into IPv6', 'http://[::ffff:169.254.169.254]/'],
    ['an address as one number', 'http://2852039166/'],
    ['an address in hexadecimal', 'http://0xa9fea9fe/'],
    ['an address in octal', 'http://0251.0376.0251.0376/'],
    ['an address with parts left out', 'http://127.1/'],
    ['an address in full-width digits', 'http://１２７．０．０．１/'],
    ['the loopback of IPv6', 'http://[::1]/'],
    ['a port of something else', 'http://example.com:4222/'],
    ['the port of SMTP', 'https://example.com:25/'],
  ])('%s is not', (_, url) => {
    expect(() => checkAddress(url, publicInternet)).toThrow(expect.objectContaining({ slug: 'address-not-public' }));
  });

  it.each(['', 'nonsense', 'ftp://example.com/a.png', 'file:///etc/passwd', 'data:image/png;base64,AAAA', 'javascript:1', '//example.com/a.png', 'https://', 'https://me:secret@example.com/a.png'])(
    '"%s" is no address',
    (url) => {
      expect(() => checkAddress(url, publicInternet)).toThrow(expect.objectContaining({ slug: 'invalid-address' }));
    },
  );
});
