// Builds the bundle that is committed under ../static/quizsite. With --check it only says whether that bundle is current.
import { build } from "esbuild";
import { readFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import process from "node:process";

const target = new URL("../static/quizsite/", import.meta.url).pathname;

const result = await build({
  absWorkingDir: new URL(".", import.meta.url).pathname,
  entryPoints: ["src/site.css", "src/site.js", "src/theme.js", "src/editor.js", "src/authoring_editor.js"],
  bundle: true,
  minify: true,
  write: false,
  outdir: target,
  format: "esm",
  // light-dark() and cascade layers are kept as written from these versions on.
  target: ["chrome123", "firefox120", "safari17.5"],
  loader: { ".woff2": "file" },
  assetNames: "fonts/[name]",
  charset: "utf8",
  legalComments: "linked",
});

const files = result.outputFiles.map((file) => [file.path, file.contents]);
for (const name of ["icons.svg", "favicon.svg"]) {
  files.push([`${target}${name}`, await readFile(new URL(`src/${name}`, import.meta.url))]);
}
const stale = [];
for (const [path, contents] of files) {
  const committed = await readFile(path).catch(() => null);
  if (committed === null || Buffer.compare(committed, Buffer.from(contents)) !== 0) stale.push([path, contents]);
}

if (process.argv.includes("--check")) {
  for (const [path] of stale) console.error(`${relative(process.cwd(), path)} is not what the sources give`);
  process.exitCode = stale.length ? 1 : 0;
} else {
  for (const [path, contents] of stale) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
  console.log(`${files.length} files, ${stale.length} written`);
}
