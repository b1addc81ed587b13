// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots, Tick} from "../../src/ValueTypes.sol";
import {IBook, OrderRequest, Reason, SignedOrder} from "../../src/interfaces/IBook.sol";
import {IERC5267} from "../../src/interfaces/IERC5267.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {ITrimming} from "../../src/interfaces/ITrimming.sol";
import {SignedAtPerps, SignedAtSpot, SignedSetup} from "./SignedSetup.sol";

/// Tests cancels by whom an account has allowed.
abstract contract CancelForCases is SignedSetup {
    address private constant VENUE = address(0xCA4CE1);

    function _allow() private {
        vm.prank(wallet);
        registry.allowCanceller(wallet, VENUE, block.timestamp + 1 days);
    }

    function _cancel(address caller, uint40 account_, uint40[] memory orders)
        private
        returns (uint256)
    {
        vm.prank(caller);
        return engine.cancelFor(listed, account_, orders);
    }

    function _one(uint40 order) private pure returns (uint40[] memory orders) {
        orders = new uint40[](1);
        orders[0] = order;
    }

    function _refuseCancel(address caller, uint40 account_, uint40 order) private {
        vm.expectRevert(abi.encodeWithSelector(IBook.NotCanceller.selector, account_, caller));
        _cancel(caller, account_, _one(order));
        vm.assertEq(_resting(order), SIZE);
    }

    function test_a_canceller_cancels_what_still_rests_and_is_the_accounts() public {
        _allow();
        uint40 first = _send(_bidOf(1));
        uint40 second = _send(_bidOf(2));
        uint40 foreign = _quote(true, LOW, SIZE);
        uint40[] memory orders = new uint40[](5);
        (orders[0], orders[1], orders[2], orders[3]) = (first, foreign, first, second);
        vm.expectEmit(address(engine));
        emit IBook.Cancelled(listed, account, first, SIZE, Reason.USER);
        vm.assertEq(_cancel(VENUE, account, orders), 2);
        vm.assertEq(_resting(first), 0);
        vm.assertEq(_resting(second), 0);
        vm.assertEq(_resting(foreign), SIZE);
    }

    function test_nobody_cancels_for_an_account_that_did_not_allow_it() public {
        uint40 own = _send(_bidOf(1));
        _refuseCancel(VENUE, account, own);
        _allow();
        _refuseCancel(other, account, own);
        _refuseCancel(RELAYER, account, own);
        uint40 foreign = _quote(true, LOW, SIZE);
        _refuseCancel(VENUE, registry.accountOf(QUOTER), foreign);
        // Named for an account that allowed it, another's order is passed over.
        vm.assertEq(_cancel(VENUE, account, _one(foreign)), 0);
    }

    /// They cancel for themselves in other ways; this one is for whom they allowed.
    function test_a_wallet_and_a_key_are_no_cancellers() public {
        uint40 own = _send(_bidOf(1));
        _refuseCancel(wallet, account, own);
        _refuseCancel(key, account, own);
    }

    function test_a_canceller_ends_with_its_expiry_and_with_its_revocation() public {
        _allow();
        uint40 own = _send(_bidOf(1));
        uint256 expiry = block.timestamp + 1 days;
        vm.warp(expiry);
        _refuseCancel(VENUE, account, own);
        vm.warp(expiry - 1);
        vm.prank(wallet);
        registry.revokeCanceller(wallet, VENUE);
        _refuseCancel(VENUE, account, own);
    }

    function test_a_canceller_cancels_until_the_last_second() public {
        _allow();
        uint40 own = _send(_bidOf(1));
        vm.warp(block.timestamp + 1 days - 1);
        vm.assertEq(_cancel(VENUE, account, _one(own)), 1);
    }

    function test_a_canceller_cancels_while_the_market_is_halted() public {
        _allow();
        uint40 own = _send(_bidOf(1));
        vm.prank(_ownerOfEngine());
        IMarkets(address(engine)).halt(listed, true);
        vm.assertEq(_cancel(VENUE, account, _one(own)), 1);
    }

    /// Whatever else takes an account's place, key or signature does not take a canceller's.
    function test_a_canceller_can_do_nothing_else() public {
        _allow();
        uint40 own = _send(_bidOf(1));
        OrderRequest memory request;
        (request.market, request.buy, request.tick, request.lots) =
        (listed, true, Tick.wrap(LOW), Lots.wrap(SIZE));
        bytes[5] memory calls = [
            abi.encodeCall(IBook.place, (request)),
            abi.encodeCall(IBook.cancel, (listed, own)),
            abi.encodeCall(IBook.burn, (0, type(uint256).max)),
            abi.encodeCall(ITrimming.reduce, (listed, own, 1)),
            abi.encodeCall(ILedger.withdraw, (_token(), 1, VENUE))
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            vm.prank(VENUE);
            (bool done,) = address(engine).call(calls[i]);
            vm.assertFalse(done);
        }
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoAccount.selector, VENUE));
        vm.prank(VENUE);
        engine.cancelAll(listed, _one(own));
        vm.assertEq(_resting(own), SIZE);
    }

    function test_a_cancellers_signature_places_nothing() public {
        uint256 secret = 0xCA4CE1;
        vm.prank(wallet);
        registry.allowCanceller(wallet, vm.addr(secret), block.timestamp + 1 days);
        SignedOrder memory order = _bidOf(1);
        _refuse(
            order,
            _signed(secret, order),
            abi.encodeWithSelector(IBook.SignerUnfit.selector, wallet, vm.addr(secret))
        );
    }

    function test_several_cancels_go_in_one_multicall() public {
        _allow();
        uint40 own = _send(_bidOf(1));
        uint40 second = _send(_bidOf(2));
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(IBook.cancelFor, (listed, account, _one(own)));
        calls[1] = abi.encodeCall(IBook.cancelFor, (listed, account, _one(second)));
        vm.prank(VENUE);
        engine.multicall(calls);
        vm.assertEq(_resting(own) + _resting(second), 0);
    }

    /// Signatures of wallets with delegated code (EIP-7702) are recovered, whatever that code
    /// answers.
    function test_a_wallet_with_delegated_code_trades() public {
        vm.etch(wallet, hex"5f5ffd");
        SignedOrder memory order = _bidOf(1);
        uint40 byWallet = _send(order, _signed(WALLET_SECRET, order));
        vm.assertEq(_resting(byWallet), SIZE);
        uint40 byKey = _send(_bidOf(2));
        vm.assertEq(_resting(byKey), SIZE);
    }

    function test_eip712Domain_is_the_domain_that_orders_are_signed_in() public view {
        (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifier,
            bytes32 salt,
            uint256[] memory extensions
        ) = IERC5267(address(engine)).eip712Domain();
        vm.assertEq(bytes32(fields), bytes32(hex"0f"));
        vm.assertEq(name, "openvenue");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, CHAIN_ID);
        vm.assertEq(verifier, address(engine));
        vm.assertEq(salt, 0);
        vm.assertEq(extensions.length, 0);
        vm.assertEq(engine.domainSeparator(), _domainOf(address(engine)));
    }

    /// A fork of the chain has another domain, so nothing that is signed here counts there.
    function test_a_fork_of_the_chain_has_a_domain_of_its_own() public {
        SignedOrder memory order = _bidOf(1);
        bytes memory signature = _signed(KEY_SECRET, order);
        vm.chainId(CHAIN_ID + 1);
        vm.assertEq(engine.domainSeparator(), _domainOf(address(engine)));
        vm.prank(RELAYER);
        vm.expectPartialRevert(IBook.SignerUnfit.selector);
        engine.placeSigned(order, signature);
        _send(_bidOf(1));
    }

    function _ownerOfEngine() internal view virtual returns (address);

    function _token() internal view virtual returns (address);
}

contract CancelForAtSpotTest is SignedAtSpot, CancelForCases {
    function _ownerOfEngine() internal pure override returns (address) {
        return OWNER;
    }

    function _token() internal view override returns (address) {
        return address(usdc);
    }
}

contract CancelForAtPerpsTest is SignedAtPerps, CancelForCases {
    function _ownerOfEngine() internal pure override returns (address) {
        return OWNER;
    }

    function _token() internal view override returns (address) {
        return address(usdc);
    }
}
