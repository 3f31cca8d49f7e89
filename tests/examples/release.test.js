/** The one command that builds what travels: which way it builds on which toolchain, and what it leaves. The build itself is
 * that of every other step; here a cargo that has built already stands in for it. */

import assert from 'node:assert/strict';
import { appendFile, chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BINARY, newFolder } from '../browser/house.js';
import { ENVIRONMENT, needs, path, run, text } from './tools.js';

const MACHINE = { x64: 'x86_64', arm64: 'aarch64' }[arch()];
const MUSL = `${MACHINE}-unknown-linux-musl`;
const GNU = `${MACHINE}-unknown-linux-gnu`;

test('one file with its checksum is left, which runs and whose change is noticed', async (t) => {
  const { release, folder } = await toolchain(t, { host: GNU, targets: [GNU, MUSL] });
  await release();
  const version = /\[workspace\.package\]\nversion = "(.+)"/.exec(await text('Cargo.toml'))[1];
  const file = `hanok-${version}-linux-${MACHINE}`;
  assert.deepEqual((await readdir(folder)).sort(), [file, `${file}.sha256`]);
  assert.match(await run(join(folder, file), ['--version']), /^hanok \d/);
  const check = () => run('sha256sum', ['-c', `${file}.sha256`], { cwd: folder });
  assert.match(await check(), /: OK/);
  await appendFile(join(folder, file), 'x');
  await assert.rejects(check(), /FAILED/);
});

test('the image is built so with the small tools of Alpine, and takes its binary from there', needs('busybox'), async (t) => {
  const { release, folder } = await toolchain(t, { host: MUSL, targets: [MUSL], alpine: true });
  const { built } = await release();
  assert.equal(built.target, MUSL);
  const image = await text('examples/Dockerfile');
  const [, taken] = /WORKDIR \/release\nRUN (.*)\n/.exec(image);
  await run('busybox', ['sh', '-c', taken], { cwd: folder });
  assert.deepEqual(await readdir(folder), ['hanok']);
  const [, rust] = /rust-version = "(.+)"/.exec(await text('Cargo.toml'));
  assert.ok(image.includes(`FROM rust:${rust}-alpine AS build`), `the image is not built with Rust ${rust}`);
});

test('a toolchain with musl builds with musl, and musl’s compiler where the machine has another', async (t) => {
  const { release } = await toolchain(t, { host: GNU, targets: [GNU, MUSL], muslGcc: true });
  const { said, built } = await release();
  assert.match(said, new RegExp(`building for ${MUSL}, static with musl`));
  assert.deepEqual(built, { target: MUSL, flags: '-C target-feature=+crt-static', compiler: 'musl-gcc' });
});

test('on a machine of musl its own compiler is right', async (t) => {
  const { release } = await toolchain(t, { host: MUSL, targets: [MUSL], muslGcc: true });
  const { built } = await release();
  assert.deepEqual(built, { target: MUSL, flags: '-C target-feature=+crt-static', compiler: '' });
});

for (const [without, targets] of [['musl', [GNU]], ['a compiler for musl', [GNU, MUSL]]]) {
  test(`without ${without} the libraries of glibc are built in, where they are there`, async (t) => {
    const { release } = await toolchain(t, { host: GNU, targets, staticGlibc: true });
    const { said, built } = await release();
    assert.match(said, new RegExp(`building for ${GNU}, static with glibc`));
    assert.deepEqual(built, { target: GNU, flags: '-C target-feature=+crt-static', compiler: '' });
  });
}

test('without either it builds as usual and says what the file needs', async (t) => {
  const { release } = await toolchain(t, { host: GNU, targets: [GNU] });
  const { said, built } = await release();
  assert.match(said, /not static: neither musl with its compiler nor a static glibc is here/);
  assert.match(said, /it needs .*libc\.so\.6.* of the machine it runs on/);
  assert.deepEqual(built, { target: GNU, flags: '', compiler: '' });
});

/** A toolchain that has `targets`, and the script that uses it. */
async function toolchain(t, { host, targets, muslGcc = false, staticGlibc = false, alpine = false }) {
  const place = await newFolder(t);
  const bin = join(place, 'bin');
  await mkdir(bin);
  const program = async (name, body) => {
    await writeFile(join(bin, name), `#!/bin/bash\n${body}\n`);
    await chmod(join(bin, name), 0o755);
  };
  for (const target of targets) {
    await mkdir(join(place, 'lib', target), { recursive: true });
    await writeFile(join(place, 'lib', target, 'libstd-1.rlib'), '');
  }
  if (staticGlibc) await writeFile(join(place, 'libc.a'), '');
  if (muslGcc) await program('musl-gcc', 'exit 1');
  const compiler = muslGcc ? {} : { [`CC_${MUSL.replaceAll('-', '_')}`]: '/nowhere/musl-gcc' };
  await program('rustc', `[[ $1 == -vV ]] && echo 'host: ${host}' || echo ${place}/lib/$4`);
  await program('cc', `echo ${staticGlibc ? join(place, 'libc.a') : 'libc.a'}`);
  await program('cargo', `while [[ $1 != --target ]]; do shift; done
    compiler=CC_\${2//-/_}
    printf '{"target":"%s","flags":"%s","compiler":"%s"}' "$2" "$RUSTFLAGS" "\${!compiler#/nowhere/musl-gcc}" >${place}/built
    mkdir -p ${place}/target/$2/dist && cp ${BINARY} ${place}/target/$2/dist/hanok`);
  if (alpine) {
    await run('busybox', ['--install', '-s', bin]);
    await run('sh', ['-c', `ln -s "$(command -v bash)" "$(command -v readelf)" ${bin}`]);
  }
  const folder = join(place, 'release');
  const env = { ...ENVIRONMENT, PATH: alpine ? bin : `${bin}:${process.env.PATH}`, CARGO_TARGET_DIR: join(place, 'target'), CC: 'cc', RUSTFLAGS: '', ...compiler };
  const release = async () => {
    const said = await run(path('release.sh'), [folder], { env });
    return { said, built: JSON.parse(await readFile(join(place, 'built'), 'utf8')) };
  };
  return { release, folder };
}
