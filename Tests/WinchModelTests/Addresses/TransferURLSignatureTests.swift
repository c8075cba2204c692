import Testing

@testable import WinchModel

@Suite struct `A signed URL` {
    @Test(arguments: [
        "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=ab",
        "https://b.s3.amazonaws.com/k?AWSAccessKeyId=A&Expires=1&Signature=x%2By",
        "https://storage.googleapis.com/b/k?X-Goog-Signature=ab",
        "https://a.blob.core.windows.net/c/b?sv=1&sig=ab&se=1",
        "https://d.cloudfront.net/x?Expires=1&Signature=a&Key-Pair-Id=K", "http://h/x?token=ab&expires=17",
        "http://h/x?EXPIRES=17&TOKEN=ab", "http://h/x?md5=ab&expires=17", "http://h/x?x%2damz%2dsignature=ab",
        "http://h/x?st=ab&e=17", "http://h/x?q-signature=1", "http://h/x?a=b;sig=c",
    ])
    func `is recognised by its query`(text: String) throws {
        #expect(try TransferURL(text).isSigned)
    }

    @Test(arguments: [
        "http://h/x", "http://h/x?", "http://h/x?a=signature", "http://h/signature?version=2", "http://h/x?token=ab",
        "http://h/x?expires=17", "http://h/x?design=a", "http://h/x#?sig=a", "http://h/x?=sig",
    ])
    func `is not seen where there is none`(text: String) throws {
        #expect(try !TransferURL(text).isSigned)
    }
}
