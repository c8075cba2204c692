/// The options of URLs, as `--help` lists them: a typical value each, as it is written in a URL.
package enum FaultOptionsHelp {
    static let downloads = """
        What the file holds:
          size=3M                   bytes, with K, M or G (64K)
          seed=7                    other content than the name's own
          change=2                  another file after every 2 requests
          versions=2                so many files at most
          grow=1K                   longer by so much at each change
          shrink=1K                 or shorter
          gzip                      with Content-Encoding: gzip
          type=text/plain           Content-Type
          etag=v1                   this ETag
          weaketag=v1               a weak one
          noetag                    none
          lastmodified=0            seconds since 1970
          disposition=inline        Content-Disposition, any bytes
          header=X-A:%20b           one more header line, byte for byte
          trailer=X-A:%20b&chunked  a line after the last chunk
          lines=5000                so many header lines that mean nothing
          hints=3                   so many 103 answers before the real one
        How it is framed:
          chunked                   in chunks, no length
          nolength                  until the connection closes
          length=5M                 a false Content-Length
          lengthraw=5x              any bytes for it
          extra=10                  bytes after the end
          wrongbyte=1M              the byte there is wrong
          ranges=off                off, refuse (416), or lie: starts a byte early
          noend                     chunked, without the last chunk
          contentrange=bytes%20x    any bytes for it
          flood=1M                  so many bytes of header lines
          interim=103,100           heads before the answer
          ranges=careless           ignores If-Range; bare: and a 206 names no version
          ranges=alternate          ignores every second Range; multipart: a 206 in that form
          http10                    answers as HTTP/1.0
        When bytes come:
          latency=0.5               seconds before the answer
          rate=1M                   bytes a second
          ratefirst=1K              on the first request only
          stall=1M                  stops there for ever
          stallfirst=1M             on the first request only
          stallfor=8                or for so many seconds
          drop=1M                   breaks off there
          dropfirst=1M              on the first request only
          reset                     breaks with RST instead of FIN
        What is answered instead:
          status=503,close,200      one request after the other; also reset; the last for ever
          retryafter=4              seconds, or date:4 for a date so far ahead
          errbody=1K                length of an error's body
          redirect=3                so many redirects first
          redirectto=http://h/      where the last one leads
          redirectcode=301          302 unless given
          user=alice                wants this login
          pass=secret               and this password
          digest                    by the Digest scheme
          ticket                    redirects to a link that works once
          page=2                    a page of HTML from the 2nd request on
          limit=2                   503 for more than 2 at once
          limitcode=429             or this status
          limitkey=disk             counted together under this name
        What HEAD is told:
          head=405                  a status, close or reset
          headlength=9M             another length
          headdelay=2               seconds more
        """

    static let uploads = """
        As for downloads: rate, ratefirst, drop, dropfirst, reset, stall, stallfirst, stallfor, interim, latency, status, retryafter,
        errbody, header, redirect, redirectto, redirectcode, user, pass, digest, limit, limitcode and limitkey. Besides:
          window=64K                so many bytes wait in the kernel at most, about
          expect=off                sends no 100; on: sends it
          expectdelay=2             seconds before the 100
          progress=64K              a 104 with Upload-Offset each time so much has been read
          answerat=64K              after so many bytes of the body, end or never; a refusal comes at 0
          then=close                after an early answer: close or cut (at once); the body is read on unless given
          reply=1G                  length of the answer's body when accepted
          location=/up/x            Location when accepted
          needlength                411 for a chunked body
          makefolders               makes missing folders
        What a tus server does besides: uploads are created at /tus, status and drop are for PATCH:
          headstatus=503,200        answers to HEAD in turn
          create=503,201            answers to the creation in turn
          lose=1M                   the upload is gone once it has so much
          lostas=410                404 unless given
          headoffset=5              a false Upload-Offset for HEAD
          patchoffset=5             and for PATCH
          badchecksum=2             460 to so many PATCHes with a checksum
          checksums=sha1            algorithms, with commas
          extensions=creation       what OPTIONS tells
          maxsize=1G                longer uploads are refused
          keepwhole                 a PATCH that was cut leaves nothing
          location=path             Location: path, relative, or a text before the number; absolute unless given
          notus                     a server without tus
        """

    package static let text = """
        \(downloads)

        Uploads go to /up/NAME; /received is the log as JSON.

        \(uploads)
        """

    /// The options of a text.
    static func examples(in text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("  ") }.compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
    }
}
