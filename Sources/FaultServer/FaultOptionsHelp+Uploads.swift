/// The options of an upload's URL.
extension FaultOptionsHelp {
    package static let uploadGroups = [
        Group(
            "How an upload is read",
            [
                ("rate=1M", "bytes a second"), ("ratefirst=1K", "on the first request only"),
                ("window=64K", "so many bytes wait in the kernel at most, about"),
                ("drop=1M", "breaks off there"), ("dropfirst=1M", "on the first request only"),
                ("reset", "breaks with RST instead of FIN"),
                ("stall=1M", "reads no further, for ever"), ("stallfirst=1M", "on the first request only"),
                ("stallfor=8", "or for so many seconds"),
                ("expect=off", "sends no 100; a status refuses requests with Expect"),
                ("expectdelay=2", "seconds before the 100"),
                ("interim=103", "heads before the answer"),
                ("progress=64K", "a 104 with Upload-Offset each time so much has been read"),
                ("discard", "counts and hashes the body and does not keep it"),
            ]),
        Group(
            "How an upload is answered",
            [
                ("status=503,close,201", "one request after the other; also reset; the last for ever"),
                ("answerat=64K", "after so many bytes of the body, end or never; a refusal comes at 0"),
                ("then=close", "after an early answer: drain, close, cut (at once) or hold"),
                ("latency=3", "seconds before the answer"), ("retryafter=4", "seconds, or date:4"),
                ("reply=1G", "length of the answer's body when accepted"),
                ("errbody=1K", "length of an error's body"),
                ("location=/up/x", "Location when accepted"), ("header=X-A:%20b", "one more header line"),
                ("redirect=3", "so many redirects first"), ("redirectto=http://h/", "where the last one leads"),
                ("redirectcode=308", "302 unless given"), ("user=alice", "wants this login"),
                ("pass=secret", "and this password"), ("digest", "by the Digest scheme"),
                ("proxyuser=alice", "answers 407 without this login"), ("proxypass=secret", "and this password"),
                ("needlength", "411 for a chunked body"),
                ("limit=2", "503 for more than 2 at once"), ("limitcode=429", "or this status"),
                ("limitkey=disk", "counted together under this name"),
                ("key=a", "shares its counters with others"), ("mkcol=403", "the answer to MKCOL"),
                ("makefolders", "makes missing folders"),
            ]),
        Group(
            "What a tus server does besides: uploads are created at /tus, status and drop are for PATCH",
            [
                ("headstatus=503,200", "answers to HEAD in turn"),
                ("create=503,201", "answers to the creation in turn"),
                ("lose=1M", "the upload is gone once it has so much"), ("lostas=410", "404 unless given"),
                ("headoffset=5", "a false Upload-Offset for HEAD"), ("patchoffset=5", "and for PATCH"),
                ("badchecksum=2", "460 to so many PATCHes with a checksum"),
                ("checksums=sha1", "algorithms, with commas"), ("extensions=creation", "what OPTIONS tells"),
                ("maxsize=1G", "longer uploads are refused"), ("keepwhole", "a PATCH that was cut leaves nothing"),
                ("location=path", "Location: path, relative, or a text before the number; absolute unless given"),
                ("notus", "a server without tus"),
            ]),
    ]
}
